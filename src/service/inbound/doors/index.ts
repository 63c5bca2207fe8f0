/** Ways in for mail that does not come by SMTP. */

export { createInboundDoor } from './deliver'
export type { InboundDoor } from './door'
export type { FetchBytes } from './providers'
