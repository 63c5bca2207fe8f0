import { z } from 'zod'
import { seq } from './common'
import { event } from './event'

/**
 * The frames of `/v1/realtime`, one JSON object a text frame.
 *
 * The agent opens with `subscribe`; the service answers `subscribed`, then every event after the cursor.
 * `prev` is the last position covered before the event: where it is not the reader's own cursor, the reader
 * has missed something and must fetch it. `caught-up` says that everything up to `seq` was covered, also
 * what the filter left out, and by `prev` from where, so that a lost event shows here too. Either side may `ping`; the other answers `pong`.
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
/** What {@link clientFrame} describes. */
export type ClientFrame = z.infer<typeof clientFrame>

/** What the service says on a realtime connection. */
export const serverFrame = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('subscribed'), after: seq, head: seq }),
  z.looseObject({ type: z.literal('event'), prev: seq, event }),
  z.looseObject({ type: z.literal('caught-up'), prev: seq.optional(), seq }),
  z.looseObject({ type: z.literal('ping') }),
  z.looseObject({ type: z.literal('pong') }),
  z.looseObject({ type: z.literal('error'), error: z.string(), message: z.string() }),
  z.looseObject({ type: z.literal('bye'), reason: z.string(), reconnect: z.boolean() }),
])
/** What {@link serverFrame} describes. */
export type ServerFrame = z.infer<typeof serverFrame>

/** Why a socket was closed by the service, and whether trying again makes sense. */
export const closeCodes = {
  going_away: { code: 1001, reconnect: true },
  invalid_frame: { code: 4400, reconnect: false },
  unauthorized: { code: 4401, reconnect: false },
  forbidden: { code: 4403, reconnect: false },
  no_heartbeat: { code: 4408, reconnect: true },
  cursor_expired: { code: 4410, reconnect: false },
  too_many_sockets: { code: 4429, reconnect: true },
  internal_error: { code: 4500, reconnect: true },
} as const
/** Why the service closes a connection: a name in {@link closeCodes}. */
export type CloseReason = keyof typeof closeCodes

/** Browsers cannot set headers on a socket: there the API key rides in this subprotocol. */
export const bearerSubprotocolPrefix = 'restante.bearer.'
/** The subprotocol that the service selects. */
export const realtimeSubprotocol = 'restante.v1'
/** Each side sends a `ping` after this much silence, and gives the socket up after twice as much. */
export const heartbeatMs = 20_000
