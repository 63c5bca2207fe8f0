/** Endpoints for messages that do not arrive by SMTP. */

export { createInboundDoor } from './deliver'
export type { InboundDoor } from './door'
export type { FetchBytes } from './providers'
