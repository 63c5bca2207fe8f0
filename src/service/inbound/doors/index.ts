/** Ways in for mail that does not come by SMTP. */

export { createInboundDoor, type InboundDoor } from './deliver'
