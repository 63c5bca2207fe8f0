import type { ServiceError } from '../../../protocol/errors/error'
import { errorCodes } from '../../../protocol/errors/error-codes'
import type { Route } from '../../../protocol/routes/route'
import type { Caller } from '../../accounts/keys'
import { refuse } from '../../base/refuse'
import { AnswerWith } from './answer-with'

type Fields = Record<string, unknown>

/** Addresses, and ids of messages, threads, attachments and drafts. */
const mailNames = /[^\s"'<>(),;:@]{1,320}@[^\s"'<>(),;:@]+|\b(?:msg|thr|att|drf)_\w+/g
const timePattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
const hostPattern = /^[\w*-]+(?:\.[\w*-]+)+$/

/** Returns all strings in a value, at any depth. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/**
 * Returns the addresses, ids and hostnames in a refusal. Hostnames count only in its details, since texts
 * name commands and settings.
 */
const namesIn = (message: string, details: unknown): string[] => {
  const strings = stringsIn(details)
  const hosts = strings.filter((text) => hostPattern.test(text) && !timePattern.test(text))
  return [...[message, ...strings].flatMap((text) => text.match(mailNames) ?? []), ...hosts]
}

/** Returns true if a text names only addresses and ids that the request itself names. */
function namesNothingNew(message: string, details: unknown, request: unknown): boolean {
  const given = JSON.stringify(request).toLowerCase()
  return namesIn(message, details).every((name) => given.includes(name.replace(/\.$/, '').toLowerCase()))
}

const isBlind = ({ scopes }: Pick<Caller, 'scopes'>): boolean => !scopes.includes('read')

/** Codes whose refusal reveals facts about a stored message: `details` never reach a key without `read`. */
const aboutMail: ReadonlySet<string> = new Set([
  ...['automatic_mail', 'loop_suspected', 'recipient_blocked', 'no_invitation'],
])

/**
 * Returns the refusal that the caller may see. Without the scope `read`, it must name no address or id that
 * the request does not name; otherwise the general meaning of its code replaces it.
 */
export function narrowRefusal(
  error: ServiceError,
  scope: Pick<Caller, 'scopes'>,
  request: unknown,
): ServiceError {
  if (!isBlind(scope)) return error
  if (!aboutMail.has(error.code) && namesNothingNew(error.message, error.details, request)) return error
  const code = error.code as keyof typeof errorCodes
  return refuse(code, errorCodes[code].meaning, undefined, error.retryAfterMs)
}

/** Returns the `error` of a draft, reduced, since the reason may name its recipients. */
function narrowDraftError(error: unknown, request: unknown): unknown {
  if (typeof error !== 'object' || error === null) return null
  const { code, message } = error as { code: string; message: string }
  if (!aboutMail.has(code) && namesNothingNew(message, undefined, request)) return { code, message }
  return { code, message: errorCodes[code as keyof typeof errorCodes]?.meaning ?? '' }
}

/** Reduces a field that can quote messages to the value of the request; other fields stay as they are. */
function reduced([field, value]: [string, unknown], request: Fields): [string, unknown] {
  if (field === 'subject') return [field, value === request.subject ? value : '']
  if (field === 'error') return [field, narrowDraftError(value, request)]
  return [field, value]
}

/**
 * Returns the part of an answer that the caller may see. A key without the scope `read` gets the fields that
 * the route lists in `withoutRead`, or none if it lists none.
 */
export function narrowAnswer(
  route: Route,
  scope: Pick<Caller, 'scopes'>,
  request: unknown,
  answer: unknown,
): unknown {
  const { access, withoutRead = [] } = route
  if (access === 'none' || access === 'operator' || !isBlind(scope)) return answer
  if (answer instanceof AnswerWith)
    return new AnswerWith(narrowAnswer(route, scope, request, answer.body), answer.status, answer.headers)
  if (typeof answer !== 'object' || answer === null) return undefined
  const allowed = Object.entries(answer).filter(
    ([field]) => withoutRead === 'all' || withoutRead.includes(field),
  )
  return Object.fromEntries(allowed.map((entry) => reduced(entry, request as Fields)))
}
