/**
 * Reasons for which the service closes a socket, and whether to reconnect.
 *
 * `slow_reader`: the client read too slowly; it continues from its cursor. `too_many_frames`: frames came
 * faster than any use of this protocol needs. `too_many_sockets`: the API key, the account or the address has
 * its maximum of open sockets.
 */
export const closeCodes = {
  going_away: { code: 1001, reconnect: true },
  invalid_frame: { code: 4400, reconnect: false },
  unauthorized: { code: 4401, reconnect: false },
  forbidden: { code: 4403, reconnect: false },
  no_heartbeat: { code: 4408, reconnect: true },
  cursor_expired: { code: 4410, reconnect: false },
  slow_reader: { code: 4413, reconnect: true },
  too_many_frames: { code: 4420, reconnect: true },
  too_many_sockets: { code: 4429, reconnect: true },
  internal_error: { code: 4500, reconnect: true },
} as const
/** Reason for which the service closes a connection: a name in {@link closeCodes}. */
export type CloseReason = keyof typeof closeCodes

/** Browsers cannot set headers on a socket: this subprotocol carries the API key instead. */
export const bearerSubprotocolPrefix = 'restante.bearer.'
/** Subprotocol in which the console names the account of the log; the cookie authenticates it. */
export const accountSubprotocolPrefix = 'restante.account.'
/** Header in which the console names the account of a request; the cookie authenticates it. */
export const accountHeader = 'restante-account'
/** Subprotocol that the service selects. */
export const realtimeSubprotocol = 'restante.v1'
/** Path of the socket, relative to the base address. */
export const realtimePath = '/realtime'
/** Most bytes of an agent's frame: the longest is a subscribe with a thousand inboxes. */
export const maxFrameBytes = 32 * 1024
/** Silence after which each side sends a `ping`; after twice as much it gives up the socket. */
export const heartbeatMs = 20_000
