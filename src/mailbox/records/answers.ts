import type { Client } from '../../client/client'
import {
  isRestanteError,
  isServiceError,
  RestanteError,
  type ServiceError,
} from '../../protocol/errors/error'
import { traced } from '../../protocol/trace'
import type { Lease } from '../base/consumer-lease'
import { checkDraftReply, type Draft, type DraftPlace, type DraftReplyOptions, writeDraft } from './drafts'
import {
  checkForward,
  contentFields,
  type ForwardOptions,
  type ReplyOptions,
  recipientFields,
  replyOptionsOf,
  type SendInput,
  type SentMessage,
  sentMessage,
} from './outgoing'
import { alreadySent, type SendKind, slotOf, type Turn } from './turn'

/** The message to answer, and its turn. */
export interface Answered {
  readonly client: Client
  readonly id: string
  readonly turn: Turn | null
}

/** The fields by which the service recognises a repeated send. */
type SendIdentity = Pick<
  SendInput,
  'client_id' | 'replay' | 'release_on_discard' | 'consumer' | 'messages_read'
>

const defaultKeys = { reply: 'reply', draft: 'reply', forward: 'forward' } as const satisfies Record<
  SendKind,
  string
>

const draftedBefore = (cause: RestanteError): RestanteError =>
  new RestanteError(
    'drafted_before',
    'a draft holds this slot: nothing was sent. run() acknowledges the message',
    { cause, details: cause.details },
  )

const repliedBefore = (cause: RestanteError): RestanteError =>
  new RestanteError(
    'replied_before',
    'an earlier turn replied: nothing was drafted. run() acknowledges the message',
    { cause, details: cause.details },
  )

/** Returns the kind of send that holds the slot of a conflict: a draft or a message. Null if unknown. */
const holderOf = (error: ServiceError, kind: SendKind): SendKind | null => {
  const { draft_id, message_id } = (error.details ?? {}) as { draft_id?: string; message_id?: string }
  if (draft_id !== undefined) return 'draft'
  if (message_id === undefined) return null
  return kind === 'forward' ? kind : 'reply'
}

/** Returns the error for a send whose slot has other content, or an answer of another kind. */
const refusalOf = (error: unknown, { turn }: Answered, kind: SendKind, key: string, isStrict: boolean) => {
  const holder = isServiceError(error, 'client_id_conflict') ? holderOf(error, kind) : null
  if (!isStrict || holder === null || (turn && holder !== kind)) return otherAnswer(error)
  return alreadySent(kind, key, error as ServiceError, holder)
}

/** Replaces an error if an earlier turn gave an answer of the other kind under the same derived id. */
const otherAnswer = (error: unknown): unknown => {
  if (!isRestanteError(error)) return error
  const details = error.details as { draft_id?: string; message_id?: string } | undefined
  if (error.code === 'not_sent_yet') return draftedBefore(error)
  if (!isServiceError(error, 'client_id_conflict')) return error
  if (details?.draft_id !== undefined) return draftedBefore(error)
  return details?.message_id === undefined ? error : repliedBefore(error)
}

/** Refusals that a retry would only repeat. */
const lasting: ReadonlySet<string> = new Set([
  ...['automatic_mail', 'no_recipients', 'recipient_suppressed', 'recipient_blocked'],
])

/**
 * Acknowledges a message that cannot be answered, or delays it if it can be answered later. One of a held
 * thread comes again after the release.
 */
export async function settleRefused(lease: Lease | null, error: unknown): Promise<void> {
  if (!lease || !isServiceError(error)) return
  // The caller must see why the send was refused, not that the outcome could not be reported.
  if (error.retryAfterMs !== undefined) await lease.nack(error.retryAfterMs).catch(() => {})
  else if (lasting.has(error.code)) await lease.ack().catch(() => {})
  else if (error.code === 'thread_held') await lease.release().catch(() => {})
}

/** Returns the id that identifies repeats of this send: the caller's, or one of the turn or message. */
const identityOf = (
  { id, turn }: Answered,
  kind: SendKind,
  key: string,
  { clientId, replay }: SendChoice,
): SendIdentity => {
  if (clientId !== undefined) return { client_id: clientId, replay }
  if (turn) return { client_id: turn.clientIdFor(kind, key, replay), replay: replay ?? 'first_wins' }
  return { client_id: slotOf(kind, id, key), replay, release_on_discard: true }
}

type SendChoice = Pick<ReplyOptions, 'key' | 'clientId' | 'replay'>

/** Sends under the id of {@link identityOf}. */
const once = async <T>(
  answered: Answered,
  kind: SendKind,
  options: SendChoice,
  send: (identity: SendIdentity) => Promise<T>,
): Promise<T> => {
  const { id, turn } = answered
  const { key = defaultKeys[kind], clientId } = options
  const identity = {
    ...identityOf(answered, kind, key, options),
    consumer: turn?.consumer,
    messages_read: turn?.read,
  }
  try {
    const within = turn?.span
    return await traced(kind, { attributes: { 'restante.message_id': id }, within }, () => send(identity))
  } catch (error) {
    await settleRefused(turn?.leaseOf(id) ?? null, error)
    if (clientId !== undefined) throw error
    turn?.forget(kind, key)
    throw refusalOf(error, answered, kind, key, identity.replay !== 'first_wins')
  }
}

/** Returns whether the service compares repeats: then files stay inline, to keep their ids. */
const isCompared = ({ turn }: Answered, { clientId, replay }: SendChoice): boolean =>
  clientId !== undefined || (replay ?? (turn ? 'first_wins' : 'strict')) === 'strict'

/** Replies to a message: see `Message.reply`. */
export const sendReply = async (answered: Answered, given: ReplyOptions | string): Promise<SentMessage> => {
  const options = replyOptionsOf(given)
  return once(answered, 'reply', options, async (identity) => {
    const { client, id } = answered
    const { to, cc, bcc, signal, replyAll, quote, onlyIfLatest, allowAutoReply } = options
    const input = {
      id,
      ...(await contentFields(client, options, isCompared(answered, options))),
      ...(await recipientFields({ cc, bcc })),
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

/** Forwards a message: see `Message.forward`. */
export const sendForward = async (answered: Answered, options: ForwardOptions): Promise<SentMessage> => {
  checkForward(options)
  return once(answered, 'forward', options, async (identity) => {
    const { client, id } = answered
    const content = await contentFields(client, options, isCompared(answered, options))
    const input = { id, ...content, ...(await recipientFields(options)), ...identity }
    return sentMessage(await client.messages.forward(input, { signal: options.signal }))
  })
}

const draftOnce = (answered: Answered, kind: SendKind, place: DraftPlace, options: DraftReplyOptions) =>
  once(answered, kind, options, (identity) =>
    writeDraft(answered.client, place, options, identity, isCompared(answered, options)),
  )

/** Creates a draft of a reply: see `Message.draft`. */
export const draftReply = async (
  answered: Answered,
  place: DraftPlace,
  options: DraftReplyOptions,
): Promise<Draft> => {
  checkDraftReply(options)
  return draftOnce(answered, 'draft', { ...place, replyToId: answered.id }, options)
}

/** Creates a draft of a forward. It takes the slot of the forward. */
export const draftForward = (
  answered: Answered,
  place: DraftPlace,
  options: DraftReplyOptions,
): Promise<Draft> => draftOnce(answered, 'forward', { ...place, forwardId: answered.id }, options)
