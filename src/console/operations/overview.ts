import type { Connection } from '../../protocol/connections/connection'
import type { Account } from '../../protocol/records/account'
import type { Consumer, ConsumerState } from '../../protocol/records/consumer'
import type { Domain } from '../../protocol/records/domain'
import type { Webhook } from '../../protocol/records/webhook'
import { call, readAll } from '../core/ask'
import { nameOf } from '../core/shown'
import { fullTime } from '../core/times'

const shownEnd = 3
const minMasked = 8

/**
 * Masks the path and query of a URL, since they are often the only secret of a webhook. Keeps the end of long
 * ones, to tell two apart.
 */
export function maskedUrl(address: string): string {
  if (!URL.canParse(address)) return '…'
  const { origin, pathname, search } = new URL(address)
  const rest = `${pathname}${search}`
  if (rest === '/') return origin
  return `${origin}/••••${rest.length > minMasked + shownEnd ? rest.slice(-shownEnd) : ''}`
}

/** Snapshot of everything in an account that can need attention. */
export interface Overview {
  /** ISO 8601. */
  readAt: string
  account: Account
  consumers: ConsumerState[]
  webhooks: Webhook[]
  domains: Domain[]
  connections: Connection[]
}

/** Reads the current state of everything that can need attention. */
export async function readOverview(account: string): Promise<Overview> {
  const stateOf = ({ name }: Consumer) => call<ConsumerState>(`/consumers/${name}`, { account })
  const [state, consumers, webhooks, domains, connections] = await Promise.all([
    call<Account>('/account', { account }),
    readAll<Consumer>('/consumers', 'consumers', account).then((all) => Promise.all(all.map(stateOf))),
    readAll<Webhook>('/webhooks', 'webhooks', account),
    readAll<Domain>('/domains', 'domains', account),
    readAll<Connection>('/connections', 'connections', account),
  ])
  return { readAt: new Date().toISOString(), account: state, consumers, webhooks, domains, connections }
}

/** Problem that does not resolve itself, or a warning. */
export interface Standstill {
  kind: 'wrong' | 'warn'
  text: string
  /** Query parameters of the address that shows it. */
  at: Record<string, string>
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Texts for the reasons why an account does not send. */
export const notSending: Record<string, string> = {
  paused: 'Sending is paused, but email is still received. The administrator of the service can resume it.',
  suspended:
    'The account is suspended: it cannot send, receive or read email. Ask the administrator of the service.',
  expired: 'The account has expired, because nobody claimed it in time.',
  unclaimed: 'The account cannot send until somebody claims it.',
}

/** Texts for the reasons why a webhook is disabled. */
export const switchedOff: Record<string, string> = {
  endpoint_gone: 'its endpoint answered 410 (gone)',
  endpoint_failing: 'its endpoint failed for five days',
  switched_off: 'somebody disabled it',
}

/** Lists programs that answered the same messages. A pair of listed consumers is reported once. */
function doubleAnswers(
  { name, answered_twice = [] }: ConsumerState,
  listed: ReadonlySet<string>,
): Standstill[] {
  const others = [...new Set(answered_twice.map(({ other }) => other))]
  return others
    .filter((other) => other === null || !listed.has(other) || name < other)
    .map((other) => ({
      kind: 'warn',
      text: `${name} and ${other ?? 'a program without a consumer, such as a webhook handler,'} both replied to ${counted(answered_twice.filter((one) => one.other === other).length, 'message')} in the last 7 days`,
      at: { consumer: name },
    }))
}

function consumerStandstills(consumer: ConsumerState, listed: ReadonlySet<string>): Standstill[] {
  const { name, dead, paused, waiting } = consumer
  const more = doubleAnswers(consumer, listed)
  if (paused && waiting > 0)
    more.push({
      kind: 'warn',
      text: `${name} is paused by ${nameOf(paused.by)}: ${counted(waiting, 'message')} waiting`,
      at: { consumer: name },
    })
  if (dead === 0) return more
  const text = `${name} gave up on ${counted(dead, 'message')} after ten attempts`
  return [{ kind: 'wrong', text, at: { consumer: name, list: 'dead' } }, ...more]
}

function webhookStandstills({ id, url, enabled, disabled_reason, failing_since }: Webhook): Standstill[] {
  const at = { webhook: id }
  if (!enabled)
    return [
      {
        kind: disabled_reason === 'switched_off' ? 'warn' : 'wrong',
        text: `The webhook to ${maskedUrl(url)} is disabled: ${switchedOff[disabled_reason!] ?? disabled_reason}`,
        at,
      },
    ]
  if (failing_since === null) return []
  return [
    {
      kind: 'warn',
      text: `The webhook to ${maskedUrl(url)} has failed since ${fullTime(failing_since)}`,
      at,
    },
  ]
}

function domainStandstills({ id, hostname, status, records }: Domain): Standstill[] {
  const missing = records.filter((record) => record.required && record.status !== 'ok').length
  if (status === 'verified' && missing === 0) return []
  const text = `${hostname} ${status === 'pending' ? 'is not verified yet' : 'has DNS errors'}: ${counted(missing, 'record')} missing or wrong`
  return [{ kind: status === 'pending' ? 'warn' : 'wrong', text, at: { domain: id } }]
}

function connectionStandstills({ id, address, state, error }: Connection): Standstill[] {
  if (state !== 'failing' && state !== 'needs_sign_in') return []
  return [
    {
      kind: 'wrong',
      text: `The mailbox ${address} cannot be synchronized: ${error ?? ''}`,
      at: { connection: id },
    },
  ]
}

/** Lists all current problems, errors before warnings. */
export function standstillsOf({
  account,
  consumers,
  webhooks,
  domains,
  connections,
}: Overview): Standstill[] {
  const held = notSending[account.sending_status]
  const listed = new Set(consumers.map(({ name }) => name))
  const all: Standstill[] = [
    ...(held ? [{ kind: 'wrong' as const, text: held, at: {} }] : []),
    ...connections.flatMap(connectionStandstills),
    ...consumers.flatMap((consumer) => consumerStandstills(consumer, listed)),
    ...webhooks.flatMap(webhookStandstills),
    ...domains.flatMap(domainStandstills),
  ]
  return [...all.filter(({ kind }) => kind === 'wrong'), ...all.filter(({ kind }) => kind === 'warn')]
}
