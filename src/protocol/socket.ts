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
