import type { Webhook, WebhookDelivery, WebhookWithSecret } from 'restante/protocol'
import type { ServiceOptions, ServicePorts } from 'restante/service'
import { expect } from 'vitest'
import { openService, type QuietService } from '../../../support/service'
import { type Answering, type Endpoint, startEndpoint } from './endpoint'

/** A service whose webhooks may go to loopback, with endpoints that end with it. */
export interface Hooked extends QuietService {
  endpoint(answer?: Answering): Promise<Endpoint>
  hook(url: string, more?: object): Promise<WebhookWithSecret>
  read(id: string): Promise<Webhook>
  deliveries(id: string): Promise<WebhookDelivery[]>
  /** Waits until the newest delivery of a webhook has had so many attempts. */
  attempted(id: string, count: number): Promise<WebhookDelivery>
}

export async function startHooked(options: ServiceOptions = {}, ports: ServicePorts = {}): Promise<Hooked> {
  const service = await openService({ webhooksAllowPrivate: true, ...options }, ports)
  const endpoints: Endpoint[] = []
  const { call } = service
  const deliveries = async (id: string): Promise<WebhookDelivery[]> =>
    (await call('GET', `/webhooks/${id}/deliveries?limit=100`)).body.deliveries
  return {
    ...service,
    deliveries,
    async endpoint(answer) {
      const endpoint = await startEndpoint(answer)
      endpoints.push(endpoint)
      return endpoint
    },
    async hook(url, more = {}) {
      const answer = await call('POST', '/webhooks', { body: { url, events: ['*'], ...more } })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body
    },
    read: async (id) => (await call('GET', `/webhooks/${id}`)).body,
    async attempted(id, count) {
      await expect.poll(async () => (await deliveries(id))[0]?.attempts.length, { interval: 20 }).toBe(count)
      return (await deliveries(id))[0]!
    },
    async [Symbol.asyncDispose]() {
      for (const endpoint of endpoints) await endpoint.close()
      await service[Symbol.asyncDispose]()
    },
  }
}
