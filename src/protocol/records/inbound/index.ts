/** Mail that others bring. */

export { type InboundAnswer, inboundAnswer, inboundQuery, sourceId } from './delivery'
