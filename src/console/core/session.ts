import { computed, signal } from '@preact/signals'
import type { Account } from '../../protocol/records'
import { clearAll, onSignedOut, readAll, sign } from './ask'
import { query } from './location'

interface Operator {
  id: string
  email: string
}

/** Who is signed in: undefined while nobody knows, null for nobody. */
export const operator = signal<Operator | null | undefined>(undefined)
/** The accounts that they claimed; undefined until they were read. */
export const accounts = signal<Account[] | undefined>(undefined)
/** The reason why the console cannot begin. */
export const failure = signal<Error | null>(null)

/** The prefix of the keys under which unfinished edits are kept, for this tab. */
export const editPrefix = 'restante.edit.'

const rememberedKey = 'restante.account'

/** The account that is looked at: that of the address, else the last one, else the first. */
export const account = computed<Account | undefined>(() => {
  const all = accounts.value ?? []
  const wanted = query.value.get('account') ?? localStorage.getItem(rememberedKey)
  return all.find(({ tenant_id }) => tenant_id === wanted) ?? all[0]
})

/** Keeps an account in mind, for this browser. */
export const rememberAccount = (id: string): void => localStorage.setItem(rememberedKey, id)

/** Reads anew which accounts there are. */
export async function readAccounts(): Promise<void> {
  accounts.value = await readAll<Account>('/console/accounts', 'accounts')
}

/** Finds who is signed in, and their accounts. */
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

/** Signs out: this browser, or every one. */
export async function leave(everywhere = false): Promise<void> {
  await sign(everywhere ? 'sign-out-everywhere' : 'sign-out', {})
  clearAll()
  otherTabs.postMessage('signed-out')
}

/** Tells the other tabs of this browser that somebody signed in or out, so that none shows what belongs to another. */
const otherTabs = new BroadcastChannel('restante-session')
otherTabs.onmessage = ({ data }) => {
  if (data === 'signed-out') clearAll()
  else void begin()
}

/** Finds who has just signed in, here and in the other tabs. */
export async function enter(): Promise<void> {
  await begin()
  otherTabs.postMessage('signed-in')
}
