import type { Client } from '../../client'
import { isRestanteError, isServiceError, RestanteError } from '../../protocol/errors'
import { traced } from '../../protocol/trace'
import type { Lease } from '../base'
import { checkDraftReply, type Draft, type DraftPlace, type DraftReplyOptions, writeDraft } from './drafts'
import {
  checkForward,
  contentFields,
  type ForwardOptions,
  type ReplyOptions,
  randomClientId,
  recipientFields,
  replyOptionsOf,
  type SentMessage,
  sentMessage,
} from './outgoing'
import type { SendKind, Turn } from './turn'

/** The message that is answered, and the turn in which it is. */
export interface Answered {
  readonly client: Client
  readonly id: string
  readonly turn: Turn | null
}

/** Recognises a send that is repeated. */
interface SendIdentity {
  client_id: string
  replay?: 'first_wins'
}

const defaultKeys = { reply: 'reply', draft: 'reply', forward: 'forward' } as const satisfies Record<
  SendKind,
  string
>

const draftedBefore = (cause: RestanteError): RestanteError =>
  new RestanteError(
    'drafted_before',
    'an earlier turn of this message drafted a reply, which is not sent yet or was deleted: nothing was sent now. Whoever looks after drafts decides; run() takes the message as handled',
    { cause, details: cause.details },
  )

const repliedBefore = (cause: RestanteError): RestanteError =>
  new RestanteError(
    'replied_before',
    'an earlier turn of this message replied to it: nothing was drafted now. run() takes the message as handled',
    { cause, details: cause.details },
  )

/** Finds the answer of the other kind, of an earlier turn, that stands in the way of a send whose id is derived. */
const otherAnswer = (error: unknown): unknown => {
  if (!isRestanteError(error)) return error
  const details = error.details as { draft_id?: string; message_id?: string } | undefined
  if (error.code === 'not_sent_yet') return draftedBefore(error)
  if (!isServiceError(error, 'client_id_conflict')) return error
  if (details?.draft_id !== undefined) return draftedBefore(error)
  return details?.message_id === undefined ? error : repliedBefore(error)
}

const handledOtherwise: ReadonlySet<string> = new Set(['thread_moved', 'drafted_before', 'replied_before'])

/**
 * Tells whether an error says that the message needs nothing more: its conversation has moved on, or it has an answer.
 */
export const isHandledOtherwise = (error: unknown): boolean =>
  isRestanteError(error) && handledOtherwise.has(error.code)

/** Refusals of an answer that would come again and again. */
const lasting: ReadonlySet<string> = new Set([
  ...['automatic_mail', 'no_recipients', 'recipient_suppressed', 'recipient_blocked'],
])

/** Acknowledges a message that cannot be answered; one that can be later comes again then. */
async function settleRefused(lease: Lease | null, error: unknown): Promise<void> {
  if (!lease || !isServiceError(error)) return
  // What is thrown is why it was refused, and not that the service could not be told.
  if (lasting.has(error.code)) await lease.ack().catch(() => {})
  else if (error.retryAfterMs !== undefined) await lease.nack(error.retryAfterMs).catch(() => {})
}

/** The id that a send has by itself: the caller's, one that is derived from the message, or none. */
const identityOf = (turn: Turn | null, kind: SendKind, key: string, clientId: string | undefined) => {
  if (clientId !== undefined) return { client_id: clientId }
  return turn && { client_id: turn.clientIdFor(kind, key), replay: 'first_wins' as const }
}

/** Sends under the caller's id, or one that is derived from the message, or a random one where there is no turn. */
const once = async <T>(
  { id, turn }: Pick<Answered, 'id' | 'turn'>,
  kind: SendKind,
  { key = defaultKeys[kind], clientId }: { key?: string; clientId?: string },
  send: (identity: SendIdentity) => Promise<T>,
): Promise<T> => {
  const identity = identityOf(turn, kind, key, clientId)
  try {
    const within = turn?.span
    return await traced(kind, { attributes: { 'restante.message_id': id }, within }, () =>
      send(identity ?? { client_id: randomClientId() }),
    )
  } catch (error) {
    await settleRefused(turn?.leaseOf(id) ?? null, error)
    if (clientId !== undefined || !turn) throw error
    turn.forget(kind, key)
    throw otherAnswer(error)
  }
}

/** Replies to a message: see `Message.reply`. */
export const sendReply = async (answered: Answered, given: ReplyOptions | string): Promise<SentMessage> => {
  const options = replyOptionsOf(given)
  return once(answered, 'reply', options, async (identity) => {
    const { client, id } = answered
    const { to, cc, bcc, signal, replyAll, quote, onlyIfLatest, allowAutoReply } = options
    const input = {
      id,
      ...(await contentFields(client, options)),
      ...recipientFields({ cc, bcc }),
      target: to,
      reply_all: replyAll,
      quote,
      expect_last_message_id: onlyIfLatest ? id : undefined,
      allow_auto_reply: allowAutoReply,
      ...identity,
    }
    return sentMessage(await client.messages.reply(input, { signal }))
  })
}

/** Passes a message on: see `Message.forward`. */
export const sendForward = async (answered: Answered, options: ForwardOptions): Promise<SentMessage> => {
  checkForward(options)
  return once(answered, 'forward', options, async (identity) => {
    const { client, id } = answered
    const content = await contentFields(client, options)
    const input = { id, ...content, ...recipientFields(options), ...identity }
    return sentMessage(await client.messages.forward(input, { signal: options.signal }))
  })
}

/** Writes a draft of a reply: see `Message.draft`. */
export const draftReply = async (
  answered: Answered,
  place: DraftPlace,
  options: DraftReplyOptions,
): Promise<Draft> => {
  checkDraftReply(options)
  return once(answered, 'draft', options, (identity) =>
    writeDraft(answered.client, { ...place, replyToId: answered.id }, options, identity),
  )
}
