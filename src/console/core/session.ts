import { computed, signal } from '@preact/signals'
import type { Account } from '../../protocol/records/account'
import type { Inbox } from '../../protocol/records/inbox'
import { clearAll, onSignedOut, readAll, sign } from './ask'
import { query } from './location'

/** Number of unread messages of each inbox of the current account. */
export const unread = signal<ReadonlyMap<string, number>>(new Map())

onSignedOut(() => {
  unread.value = new Map()
})

/** Reads the counts again; if that fails, the known ones stay. */
export async function readUnread(account: string): Promise<void> {
  const inboxes = await readAll<Inbox>('/inboxes?include=unread', 'inboxes', account).catch(() => null)
  if (inboxes) unread.value = new Map(inboxes.map((inbox) => [inbox.id, inbox.unread ?? 0]))
}

interface Operator {
  id: string
  email: string
}

/** Operator who is signed in; undefined while unknown, null if nobody is. */
export const operator = signal<Operator | null | undefined>(undefined)
/** Accounts that the operator claimed; undefined until they are read. */
export const accounts = signal<Account[] | undefined>(undefined)
/** Why the console cannot start. */
export const failure = signal<Error | null>(null)

/** Prefix of the session storage keys of unfinished edits. */
export const editPrefix = 'restante.edit.'

const rememberedKey = 'restante.account'

/** Current account: that of the address, else the last one used, else the first. */
export const account = computed<Account | undefined>(() => {
  const all = accounts.value ?? []
  const wanted = query.value.get('account') ?? localStorage.getItem(rememberedKey)
  return all.find(({ tenant_id }) => tenant_id === wanted) ?? all[0]
})

/** Remembers an account for this browser. */
export const rememberAccount = (id: string): void => localStorage.setItem(rememberedKey, id)

/** Reads the list of accounts again. */
export async function readAccounts(): Promise<void> {
  accounts.value = await readAll<Account>('/console/accounts', 'accounts')
}

/** Reads who is signed in, and their accounts. */
export async function begin(): Promise<void> {
  failure.value = null
  try {
    const { operator: who } = await sign('session')
    if (who) await readAccounts()
    operator.value = who
  } catch (error) {
    failure.value = error as Error
  }
}

onSignedOut(() => {
  // Unfinished edits quote the messages of the account.
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(editPrefix)) sessionStorage.removeItem(key)
  operator.value = null
  accounts.value = undefined
})

/** Signs out of this browser, or of every one. */
export async function leave(everywhere = false): Promise<void> {
  await sign(everywhere ? 'sign-out-everywhere' : 'sign-out', {})
  clearAll()
  otherTabs.postMessage('signed-out')
}

/** Notifies the other tabs of a sign-in or sign-out, so that none shows another operator's data. */
const otherTabs = new BroadcastChannel('restante-session')
otherTabs.onmessage = ({ data }) => {
  if (data === 'signed-out') clearAll()
  else void begin()
}

/** Reads who has just signed in, here and in the other tabs. */
export async function enter(): Promise<void> {
  await begin()
  otherTabs.postMessage('signed-in')
}
