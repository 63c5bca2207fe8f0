/** Mail that others bring. */

export { type InboundAnswer, inboundAnswer, inboundQuery, sourceId } from './delivery'
export { type InboundProvider, inboundProvider, providerPaths } from './provider'
