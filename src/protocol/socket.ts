/** Browsers cannot set headers on a socket: there the API key rides in this subprotocol. */
export const bearerSubprotocolPrefix = 'restante.bearer.'
/** The subprotocol in which a page of the console names the account whose log it follows; the cookie says who asks. */
export const accountSubprotocolPrefix = 'restante.account.'
/** The header in which the console names the account that a request is for; the cookie says who asks. */
export const accountHeader = 'restante-account'
/** The subprotocol that the service selects. */
export const realtimeSubprotocol = 'restante.v1'
/** The path of the socket, relative to the base address. */
export const realtimePath = '/realtime'
/** The longest frame of an agent is a subscribe that names a thousand inboxes. */
export const maxFrameBytes = 32 * 1024
/** Each side sends a `ping` after this much silence, and gives the socket up after twice as much. */
export const heartbeatMs = 20_000
