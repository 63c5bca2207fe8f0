import type { Client } from '../client'
import { isRestanteError, isServiceError, RestanteError } from '../protocol'
import type { Delivery, SendKind } from './delivery'
import { type Draft, type DraftPlace, type DraftReplyOptions, writeDraft } from './drafts'
import {
  contentFields,
  type ForwardOptions,
  type ReplyOptions,
  randomClientId,
  recipientFields,
  type SentMessage,
  sentMessage,
} from './outgoing'

/** The message that is answered, and the delivery that it came with. */
export interface Answered {
  readonly client: Client
  readonly id: string
  readonly delivery: Delivery | null
}

/** By what a send is known again. */
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
    'an earlier delivery of this message drafted a reply, which is not sent yet or was deleted: nothing was sent now. Whoever looks after drafts decides; run() takes the message as handled',
    { cause, details: cause.details },
  )

const repliedBefore = (cause: RestanteError): RestanteError =>
  new RestanteError(
    'replied_before',
    'an earlier delivery of this message replied to it: nothing was drafted now. run() takes the message as handled',
    { cause, details: cause.details },
  )

/** What stands in the way of a send whose id is derived: the other kind of answer, of an earlier delivery. */
const otherAnswer = (error: unknown): unknown => {
  if (!isRestanteError(error)) return error
  const details = error.details as { draft_id?: string; message_id?: string } | undefined
  if (error.code === 'not_sent_yet') return draftedBefore(error)
  if (!isServiceError(error, 'client_id_conflict')) return error
  if (details?.draft_id !== undefined) return draftedBefore(error)
  return details?.message_id === undefined ? error : repliedBefore(error)
}

const handledOtherwise: ReadonlySet<string> = new Set(['thread_moved', 'drafted_before', 'replied_before'])

/** Whether it says that the message needs nothing more: its conversation has moved on, or it has an answer. */
export const isHandledOtherwise = (error: unknown): boolean =>
  isRestanteError(error) && handledOtherwise.has(error.code)

/** Sends under the caller's id, or one that is derived from the message, or any where there is none. */
const once = async <T>(
  delivery: Delivery | null,
  kind: SendKind,
  { key = defaultKeys[kind], clientId }: { key?: string; clientId?: string },
  send: (identity: SendIdentity) => Promise<T>,
): Promise<T> => {
  if (clientId !== undefined) return send({ client_id: clientId })
  if (!delivery) return send({ client_id: randomClientId() })
  const derived = delivery.claim(kind, key)
  try {
    return await send({ client_id: derived, replay: 'first_wins' })
  } catch (error) {
    delivery.release(kind, key)
    throw otherAnswer(error)
  }
}

/** Replies to a message: see `Message.reply`. */
export const sendReply = ({ client, id, delivery }: Answered, options: ReplyOptions): Promise<SentMessage> =>
  once(delivery, 'reply', options, async (identity) => {
    const { cc, bcc, signal, replyAll, quote, onlyIfLatest, allowAutoReply } = options
    const input = {
      id,
      ...(await contentFields(client, options)),
      ...recipientFields({ cc, bcc }),
      reply_all: replyAll,
      quote,
      expect_last_message_id: onlyIfLatest ? id : undefined,
      allow_auto_reply: allowAutoReply,
      ...identity,
    }
    return sentMessage(await client.messages.reply(input, { signal }))
  })

/** Passes a message on: see `Message.forward`. */
export const sendForward = (
  { client, id, delivery }: Answered,
  options: ForwardOptions,
): Promise<SentMessage> =>
  once(delivery, 'forward', options, async (identity) => {
    const content = await contentFields(client, options)
    const input = { id, ...content, ...recipientFields(options), ...identity }
    return sentMessage(await client.messages.forward(input, { signal: options.signal }))
  })

/** Writes a draft of a reply: see `Message.draft`. */
export const draftReply = (
  { client, id, delivery }: Answered,
  place: DraftPlace,
  options: DraftReplyOptions,
): Promise<Draft> =>
  once(delivery, 'draft', options, (identity) =>
    writeDraft(client, { ...place, replyToId: id }, options, identity),
  )
