import type { Draft } from '../../../protocol/records/draft'
import type { Route, RouteAnswer, RouteRequest } from '../../../protocol/routes/route'
import type { Routes } from '../../../protocol/routes/routes'
import { requireReadable } from '../../accounts/account'
import { type Caller, unauthorized } from '../../accounts/keys'
import type { Operator } from '../../accounts/operators'
import type { SendAnswer } from '../../outbound/submit/sends'
import { AnswerWith } from '../answers/answer-with'
import type { HttpPorts } from './ports'

/** Request that was validated and admitted. */
export interface Call<Request> {
  ports: HttpPorts
  /** Owner of the key; nobody if an operator calls. */
  scope: Caller
  /** Human who calls; nobody if a key calls. */
  operator: Operator
  request: Request
  /** Original request: for routes with a raw body, or that wait as long as the caller does. */
  incoming: globalThis.Request
  /** Group that the client address is counted in; null if it is not limited. */
  client: string | null
}

type Handler<R extends Route> = (
  call: Call<RouteRequest<R>>,
) => Promise<RouteAnswer<R> | AnswerWith | Response>

/** One handler for each operation of the table, checked by the compiler. */
export type Handlers = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route
      ? Handler<Routes[Group][Name]>
      : never
  }
}

export const noStore = { 'cache-control': 'no-store' }

/** Explains what happens next to a draft that was not sent at once. */
function nextOf({ id, status, scheduled_at, suggestion }: Draft): string | undefined {
  const result = `GET /drafts/${id} returns the result, as do the events draft.sent and draft.updated.`
  if (status === 'scheduled')
    return `Nothing was sent yet: it will be sent at ${scheduled_at}, unless you DELETE /drafts/${id}. ${result}`
  if (status === 'pending_approval')
    return `Nothing was sent yet: this key cannot send, so an operator must approve or reject the draft (restante approvals, or the console). Do not send it again. ${result}`
  if (suggestion && status === 'draft')
    return `Nothing was sent yet: the draft is a suggestion to the people of the inbox, who send or delete it. ${result}`
  return undefined
}

/** Answers with the result, or with a draft and status 202 if nothing was sent yet. */
export const sentOrDraft = (answer: SendAnswer) =>
  'message_id' in answer ? answer : new AnswerWith({ ...answer, message: nextOf(answer) }, 202)

/**
 * Runs long work until the caller leaves, the key is revoked, or the service stops.
 *
 * @throws ServiceError `unauthorized`, `account_suspended` if the key was revoked meanwhile
 */
export async function whileHeld<T>(
  { ports, scope, incoming }: Call<unknown>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const enough = new AbortController()
  const answer = () => enough.abort()
  if (ports.ending.aborted) answer()
  ports.ending.addEventListener('abort', answer)
  const unwatch = ports.revocations.watch(scope, (why) => ended.abort(why))
  const signal = AbortSignal.any([incoming.signal, ended.signal, enough.signal])
  const result = await work(signal).finally(() => {
    unwatch()
    ports.ending.removeEventListener('abort', answer)
  })
  if (ended.signal.aborted) {
    await requireReadable(ports, scope)
    throw unauthorized()
  }
  return result
}
