import * as z from 'zod'
import { seq } from './records/common'
import { event, logEpoch } from './records/event'

export {
  accountSubprotocolPrefix,
  bearerSubprotocolPrefix,
  type CloseReason,
  closeCodes,
  heartbeatMs,
  maxFrameBytes,
  realtimePath,
  realtimeSubprotocol,
} from './socket'

/**
 * Frames of `/v1/realtime`, one JSON object in each text frame.
 *
 * The agent opens with `subscribe`; the service answers `subscribed`, then sends every event after the
 * cursor.
 *
 * - `prev` is the last position covered before the event. A reader with another cursor has missed something
 *   and must fetch it.
 * - `caught-up` means that everything from `prev` to `seq` was covered, including filtered events, so it also
 *   reveals a lost event.
 * - Either side may `ping`; the other answers `pong`, one for several if the reader is behind.
 * - A new `subscribe` replaces the one before; of several at once only the last counts.
 * - Before it closes, the service sends `bye`: the close code's name, whether to reconnect, and the position
 *   after which to continue.
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
/** A frame from the agent on a realtime connection, as {@link clientFrame} parses it. */
export type ClientFrame = z.infer<typeof clientFrame>

/** Frames from the service on a realtime connection; {@link clientFrame} documents their order. */
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
/** A frame from the service on a realtime connection, as {@link serverFrame} parses it. */
export type ServerFrame = z.infer<typeof serverFrame>
