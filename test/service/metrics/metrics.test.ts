import { Mailbox } from 'restante'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../../src/service/metrics/metrics'
import { openService } from '../../support/service'
import { startEndpoint } from '../webhooks/support/endpoint'

let service: Awaited<ReturnType<typeof openService>> & { url: string; metrics: string }
beforeAll(async () => {
  const options = {
    metrics: '127.0.0.1:0',
    unlimited: '192.0.2.1',
    requestsPerMinute: 2,
    webhooksAllowPrivate: true,
  }
  const opened = await openService(options)
  const { url, metrics = '' } = await opened.listen()
  service = { ...opened, url, metrics }
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (path: string) => fetch(`http://${service.metrics}${path}`)

it('the metrics say to Prometheus what happened, without accounts or addresses', async () => {
  await service.mail({ subject: 'one' })
  await expect(service.mail({ to: 'nobody@restante.localhost' })).rejects.toThrow(/550/)
  const headers = { authorization: `Bearer ${service.home.apiKey}` }
  for (let i = 0; i < 3; i += 1) await fetch(`${service.url}/account`, { headers })
  const response = await ask('/metrics')
  expect(response.headers.get('content-type')).toContain('version=0.0.4')
  const text = await response.text()
  for (const line of [
    'restante_events_total{type="message.received"} 1',
    'restante_mails_refused_total{reason="mailbox_unavailable"} 1',
    'restante_ingest_seconds_count 1',
    'restante_http_request_seconds_count{route="account.get",status="200"} 2',
    'restante_http_request_seconds_count{route="account.get",status="429"} 1',
    'restante_rate_limited_total{limit="http_requests"} 1',
    'restante_sockets_open 0',
    'restante_socket_lag_events 0',
    'restante_parser_waiting_mails 0',
    'restante_webhook_lag_events 0',
  ])
    expect(text).toContain(line)
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(text).not.toMatch(/agent@|acc_|tnt_|ten_|127\.0\.0\.1|nobody/)
  expect((await ask('/v1/account')).status).toBe(404)
})

it('the metrics say how far webhooks and sockets are behind', async () => {
  const endpoint = await startEndpoint()
  await using mailbox = await Mailbox.open({ service: service.service })
  const hook = { url: endpoint.url, events: ['message.received'] }
  expect((await service.call('POST', '/webhooks', { body: hook })).status).toBe(201)
  await using loop = mailbox.incoming()
  await service.mail({ subject: 'two' })
  await loop.next()
  const text = async () => (await ask('/metrics')).text()
  await expect.poll(text).toContain('restante_webhook_attempts_total{status="delivered"} 1')
  expect(await text()).toMatch(/^restante_sockets_open 1$/m)
  expect(await text()).toMatch(/^restante_socket_lag_events 0$/m)
  await endpoint.close()
})

it('the metrics are not on the port for agents', async () => {
  expect((await fetch(`${service.url.replace('/v1', '')}/metrics`)).status).toBe(404)
})

it('a service that has started is live and ready', async () => {
  const base = service.url.replace('/v1', '')
  expect((await fetch(`${base}/healthz`)).status).toBe(200)
  const ready = await fetch(`${base}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ok', database: true, storage: true, parser: true, smtp: true },
  ])
})

it('a counted transport stores accepted recipients before it tries another host', async () => {
  const { transport } = await createMetrics()
  const settle = async () => {}
  const counted = transport({
    siteOf: (domain) => domain,
    close: async () => {},
    send: async (_mail, _signal, given) => {
      expect(given).toBe(settle)
      return []
    },
  })
  expect(
    await counted.send({ mailFrom: '', recipients: [], raw: new Uint8Array() }, undefined, settle),
  ).toEqual([])
  expect.assertions(2)
})
