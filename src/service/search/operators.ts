import { type IncludeAway, leftOutOf, systemLabelOf } from '../../protocol/records/label-names'
import { dayMs, hourMs } from '../../protocol/time/clock'
import { timeOf } from '../base/time'
import { type Leaf, wordsLeaf } from './query-parts'
import { soughtTokens } from './terms/tokens'

/** Condition of an operator, or the reason why its value is invalid. */
type Read = { readonly leaf: Leaf; readonly include?: IncludeAway } | string

interface Value {
  readonly text: string
  readonly nowMs: number
  readonly hasStar: boolean
}

const anAddress = /^[^\s@"<>*]+@[^\s@"<>*]+$/
const aDomain = /^@?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+)$/u

/**
 * Returns the condition for an address, which matches exactly, or a domain with its subdomains; null for
 * other words.
 */
export function addressLeaf(field: 'sender' | 'recipients', text: string): Leaf | null {
  const [, domain] = aDomain.exec(text) ?? []
  if (domain !== undefined) return { kind: 'address', field, address: `@${domain}` }
  return anAddress.test(text) ? { kind: 'address', field, address: text } : null
}

const place =
  (field: 'subject' | 'sender' | 'recipients' | 'files') =>
  ({ text, hasStar }: Value): Read => {
    const words = soughtTokens(text)
    return words.length === 0 ? 'it has no word to look for.' : { leaf: wordsLeaf(words, hasStar, field) }
  }

const person =
  (field: 'sender' | 'recipients') =>
  (value: Value): Read => {
    if (value.text.toLowerCase() === 'me')
      return { leaf: { kind: 'direction', direction: field === 'sender' ? 'outbound' : 'inbound' } }
    const leaf = addressLeaf(field, value.text.replace(/^<(.*)>$/, '$1'))
    return leaf ? { leaf } : place(field)(value)
  }

/** Returns a reader of one of several words. */
const choice =
  (choices: Readonly<Record<string, Exclude<Read, string>>>) =>
  ({ text }: Value): Read =>
    choices[text.toLowerCase()] ?? `give one of ${Object.keys(choices).join(', ')}.`

/** Returns the condition for a label, by preference the service's own, including spam and trash if needed. */
function ofLabel(text: string): Exclude<Read, string> {
  const leaf: Leaf = { kind: 'label', name: systemLabelOf(text) ?? text }
  return leftOutOf({ label: text }).length === 0 ? { leaf, include: 'all' } : { leaf }
}

const aDay = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/
const aTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i
const seconds = /^\d{9,11}$/

/** Parses a date of people or programs, as the start of its day in UTC. */
function timeMsOf(text: string): number {
  const [, year, month = '1', day = '1'] = aDay.exec(text) ?? []
  if (year !== undefined) {
    const timeMs = Date.UTC(Number(year), Number(month) - 1, Number(day))
    const isThere = new Date(timeMs).getUTCMonth() === Number(month) - 1
    return isThere ? timeMs : Number.NaN
  }
  if (seconds.test(text)) return Number(text) * 1_000
  return aTime.test(text) ? Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`) : Number.NaN
}

const date =
  (kind: 'since' | 'until') =>
  ({ text }: Value): Read => {
    const timeMs = timeMsOf(text)
    return Number.isNaN(timeMs) ? 'give a date such as 2026-01-31.' : { leaf: { kind, time: timeOf(timeMs) } }
  }

const unitsMs: Record<string, number> = {
  ...{ h: hourMs, d: dayMs, w: 7 * dayMs },
  ...{ m: 30.4375 * dayMs, y: 365.25 * dayMs },
}

const age =
  (kind: 'since' | 'until') =>
  ({ text, nowMs }: Value): Read => {
    const [, number, unit] = /^(\d{1,5})([hdwmy])$/i.exec(text) ?? []
    if (number === undefined)
      return 'give a number of days, weeks, months or years, such as 7d, 2w, 3m or 1y.'
    const timeMs = nowMs - Number(number) * unitsMs[unit!.toLowerCase()]!
    return { leaf: { kind, time: timeOf(Math.max(0, timeMs)) } }
  }

const operators: Readonly<Record<string, (value: Value) => Read>> = {
  from: person('sender'),
  to: person('recipients'),
  cc: person('recipients'),
  bcc: person('recipients'),
  subject: place('subject'),
  filename: place('files'),
  label: ({ text }) => ofLabel(text),
  in: choice({
    spam: ofLabel('spam'),
    trash: ofLabel('trash'),
    archive: ofLabel('archived'),
    inbox: { leaf: { kind: 'direction', direction: 'inbound' } },
    sent: { leaf: { kind: 'direction', direction: 'outbound' } },
    anywhere: { leaf: { kind: 'since', time: timeOf(0) }, include: 'all' },
  }),
  is: choice({
    unanswered: { leaf: { kind: 'unanswered' } },
    spam: ofLabel('spam'),
    unread: ofLabel('unread'),
    archived: ofLabel('archived'),
    sent: { leaf: { kind: 'direction', direction: 'outbound' } },
    received: { leaf: { kind: 'direction', direction: 'inbound' } },
  }),
  has: choice({
    attachment: { leaf: { kind: 'attachment' } },
    attachments: { leaf: { kind: 'attachment' } },
  }),
  after: date('since'),
  newer: date('since'),
  before: date('until'),
  older: date('until'),
  newer_than: age('since'),
  older_than: age('until'),
  rfc822msgid: ({ text }) => ({ leaf: { kind: 'message-id', id: text } }),
}

export const isOperator = (name: string): boolean => Object.hasOwn(operators, name)

/** Reads an operator with its value: its condition, or the reason why it is invalid. */
export function readOperator(name: string, text: string, nowMs: number, hasStar: boolean): Read {
  if (!isOperator(name))
    return `there is no operator ${name}. There are ${Object.keys(operators).join(', ')}.`
  if (text === '') return 'nothing follows right behind it.'
  return operators[name]!({ text, nowMs, hasStar })
}
