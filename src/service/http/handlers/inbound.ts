import type { Handlers } from './call'

export const inboundHandlers: Handlers['inbound'] = {
  deliver: ({ ports, scope, request, incoming }) => {
    const { from, to, client_ip: clientIp, helo, 'idempotency-key': sourceId } = request
    return ports.inboundEndpoint.deliverBody(scope, { from, to, clientIp, helo, sourceId }, incoming)
  },
  post: ({ ports, request, incoming }) =>
    ports.inboundEndpoint.post(request.key_id, request.provider, incoming),
}
