/** Inbound messages over HTTP. */

export { type InboundAnswer, inboundAnswer, inboundQuery, sourceId } from './delivery'
export { type InboundProvider, inboundProvider, providerPaths } from './provider'
