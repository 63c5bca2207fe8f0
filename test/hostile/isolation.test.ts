import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeResolver } from '../support/fake-resolver'
import { expectNoDifference, guardedRoutes, nameOf, placesOf } from '../support/id-places'
import { startService, type TestService } from '../support/service'
import { askAs, type ClaimedTenant, claimedTenant, makeAll, nounsIn } from '../support/tenant'

let data: string
let service: TestService
let tenant: ClaimedTenant
let own: Record<string, string>
let foreign: Record<string, string>
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'restante-'))
  service = await startService({ data }, { resolver: createFakeResolver({}) })
  tenant = await claimedTenant(service, 'i')
  foreign = await makeAll(service, service.home.apiKey)
  own = await makeAll(service, tenant.key)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true })
})

const places = guardedRoutes.flatMap(placesOf)

it('every id in the path of a route has an example in this test', () => {
  expect(places.length).toBeGreaterThan(30)
  expect(places.map(nameOf)).toEqual(
    expect.arrayContaining([
      'POST /messages upload_id',
      'POST /drafts reply_to_message_id',
      'POST /webhooks inbox_ids',
      'POST /consumers/{name}/ack leases',
      'GET /messages label',
    ]),
  )
  for (const place of places) expect(Object.keys(own), nameOf(place)).toContain(place.noun)
})

// Before the requests that change and send what the tenant has.
it('nothing that a route answers is of another tenant', async () => {
  const theirs = [
    ...Object.values(foreign),
    service.home.tenantId,
    service.home.inboxId,
    service.home.address,
  ]
  for (const route of guardedRoutes.filter(({ method }) => method === 'GET')) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, field) => own[nounsIn(route.path)[field]!]!)
    const asked = Object.keys(route.query?.shape ?? {})
    const isPicture = asked.includes('url')
    const query = isPicture
      ? '?url=https://pictures.example/a.png'
      : asked.includes('limit')
        ? '?limit=100'
        : ''
    const answer = await askAs(service, tenant, route, `${path}${query}`, {})
    // A picture comes from elsewhere, and only where the mail names it, which this one does not. No file is a message.
    expect(answer.status, path).toBe(isPicture || path.endsWith('/message') ? 404 : 200)
    const reported = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    for (const id of theirs) expect(reported, route.path).not.toContain(id)
  }
})

it('an id of another tenant answers exactly as one that never existed, on every route', async () => {
  for (const place of places) {
    const statuses = await expectNoDifference(place, foreign[place.noun]!, own, (route, path, options) =>
      askAs(service, tenant, route, path, options),
    )
    const isLooked = place.within ?? place.route.path.includes(`{${place.field}}`)
    if (isLooked) expect([...statuses], nameOf(place)).toContain(404)
    expect(
      [...statuses].some((status) => status !== 400),
      nameOf(place),
    ).toBe(true)
  }
})

it('what another tenant has is as it was after all of these requests', async () => {
  const home = service.home.apiKey
  for (const noun of ['inboxes', 'messages', 'threads', 'attachments', 'webhooks', 'drafts', 'domains'])
    expect((await service.call('GET', `/${noun}/${foreign[noun]}`, { key: home })).status, noun).toBe(200)
  for (const noun of ['labels', 'lists']) {
    const all = (await service.call('GET', `/${noun}`, { key: home })).body[noun]
    expect(all.filter(({ system }: { system?: boolean }) => !system)).toHaveLength(1)
  }
})
