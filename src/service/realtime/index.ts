/** The socket gateway. */

export { createGateway, type Gateway } from './gateway'
export { InProcessSocket, type ServiceSocket } from './in-process'
export type { SocketClaim } from './upgrade'
