import { z } from 'zod'
import { event, logEpoch, seq } from './records'

export { type CloseReason, closeCodes } from './close-codes'
export {
  accountSubprotocolPrefix,
  bearerSubprotocolPrefix,
  heartbeatMs,
  maxFrameBytes,
  realtimePath,
  realtimeSubprotocol,
} from './socket'

/**
 * The frames of `/v1/realtime`, one JSON object a text frame.
 *
 * The agent opens with `subscribe`; the service answers `subscribed`, then every event after the cursor.
 *
 * - `prev` is the last position covered before the event. If it is not the reader's own cursor, the reader has missed
 *   something and must fetch it.
 * - `caught-up` says that everything from `prev` to `seq` was covered, also what the filter left out, so that a lost
 *   event shows here too.
 * - Either side may `ping`; the other answers `pong`, several by one if the reader is behind.
 * - A new `subscribe` replaces the one before; of several at once only the last counts.
 * - Before it closes, the service says `bye`: why, by the name of the close code, whether to reconnect, and after which
 *   position of the log the reader goes on.
 */
export const clientFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    after: z.union([seq, z.literal('now')]),
    inbox_ids: z.array(z.string()).min(1).max(1_000).optional(),
    types: z.array(z.string()).min(1).max(100).optional(),
  }),
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({ type: z.literal('pong') }),
])
/** A frame that the agent sends on a realtime connection, as {@link clientFrame} reads it. */
export type ClientFrame = z.infer<typeof clientFrame>

/** The frames that the service sends on a realtime connection; {@link clientFrame} says in which order. */
export const serverFrame = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('subscribed'), after: seq, head: seq, ...logEpoch }),
  z.looseObject({ type: z.literal('event'), prev: seq, event }),
  z.looseObject({ type: z.literal('caught-up'), prev: seq.optional(), seq }),
  z.looseObject({ type: z.literal('ping') }),
  z.looseObject({ type: z.literal('pong') }),
  z.looseObject({ type: z.literal('error'), error: z.string(), message: z.string() }),
  z.looseObject({
    type: z.literal('bye'),
    reason: z.string(),
    reconnect: z.boolean(),
    message: z.string().optional(),
    after: seq.optional(),
  }),
])
/** A frame that the service sends on a realtime connection, as {@link serverFrame} reads it. */
export type ServerFrame = z.infer<typeof serverFrame>
