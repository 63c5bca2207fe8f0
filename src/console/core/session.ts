import { computed, signal } from '@preact/signals'
import type { Account } from '../../protocol/records'
import { onSignedOut, readAll, sign } from './ask'
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
  operator.value = null
  accounts.value = undefined
})

/** Signs out: this browser, or every one. */
export async function leave(everywhere = false): Promise<void> {
  await sign(everywhere ? 'sign-out-everywhere' : 'sign-out', {})
  operator.value = null
  accounts.value = undefined
}
