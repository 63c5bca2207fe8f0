import { Mailbox } from 'restante'
import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { Browser, secretOf } from '../../support/console'
import { createFakeResolver } from '../../support/fake-resolver'
import { openService, type QuietService } from '../../support/service'

/** The owner of a service, signed in. */
async function ownerOf({ service }: QuietService): Promise<Browser> {
  const owner = new Browser(service)
  expect((await owner.sign('use-link', { token: secretOf(service.ownerLink()) })).status).toBe(200)
  return owner
}

async function startTalk(options: ServiceOptions = {}, ports = {}) {
  const service = await openService({ delivery: 'capture', ...options }, ports)
  await service.listen()
  const owner = await ownerOf(service)
  const { inboxId, tenantId } = service.home
  return {
    ...service,
    owner,
    write: (mail: object) =>
      owner.call('POST', `/accounts/${tenantId}/talk`, { inbox_id: inboxId, text: 'Hi', ...mail }),
  }
}

const authenticationOf = async ({ call }: QuietService, id: string) =>
  (await call('GET', `/messages/${id}`)).body.authentication

it.each([
  ['that judges no senders', {}],
  ['that judges senders by DNS', { resolver: createFakeResolver({}) }],
])('a person is played with proof and without, at a service %s', async (_, ports) => {
  const service = await startTalk({}, ports)
  await using _end = service
  await using mailbox = await Mailbox.open({ service: service.service })
  const promptOf = async (id: string) => (await mailbox.messages.get(id)).toPrompt()
  const proven = await service.write({ from: 'Ana <ana@example.com>', subject: 'A question' })
  expect([proven.status, proven.body.rfc822_message_id]).toEqual([
    201,
    expect.stringMatching(/@example\.com>$/),
  ])
  expect(await authenticationOf(service, proven.body.id)).toMatchObject({
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
    from_verified: true,
  })
  expect(await promptOf(proven.body.id)).toContain('sender proven: the domain in From sent it')
  const forged = await service.write({ from: 'ana@example.com', proven: false })
  expect(await authenticationOf(service, forged.body.id)).toMatchObject({
    spf: 'none',
    dkim: 'none',
    dmarc: 'none',
    from_verified: false,
  })
  expect(await promptOf(forged.body.id)).toContain(
    'SENDER NOT PROVEN: somebody else may have written this in that name',
  )
  // A domain of this machine, of which DNS knows nothing, is one like any other.
  const local = await service.write({ from: 'bo@people.localhost' })
  expect(await authenticationOf(service, local.body.id)).toMatchObject({ from_verified: true })
})

it('what was proven of one mail proves nothing of the next', async () => {
  const service = await startTalk({}, { resolver: createFakeResolver({}) })
  await using _end = service
  const { body } = await service.write({ from: 'ana@example.com', subject: 'First' })
  const raw = new Uint8Array(
    await (
      await service.service.fetch(
        new Request(`http://restante.test/v1/messages/${body.id}/raw`, {
          headers: { authorization: `Bearer ${service.home.apiKey}` },
        }),
      )
    ).arrayBuffer(),
  )
  const repeated = Buffer.from(raw).toString('latin1').replace('Subject: First', 'Subject: Other')
  await service.mail({ envelope: { from: 'ana@example.com', to: service.home.address }, raw: repeated })
  const { messages } = (await service.call('GET', '/messages')).body
  const other = messages.find(({ subject }: { subject: string }) => subject === 'Other')
  expect(other.authentication).toMatchObject({ from_verified: false })
})

it('an answer is in the conversation of the mail of the agent that it answers', async () => {
  const service = await startTalk()
  await using _end = service
  const first = (await service.write({ from: 'ana@example.com', subject: 'A question' })).body
  const sent = await service.call('POST', `/messages/${first.id}/reply`, { body: { text: 'An answer.' } })
  const second = await service.write({ from: 'ana@example.com', in_reply_to: sent.body.id })
  expect(second.status).toBe(201)
  const message = (await service.call('GET', `/messages/${second.body.id}`)).body
  expect(message).toMatchObject({ subject: 'Re: A question', thread_id: sent.body.thread_id })
  expect(message.in_reply_to).toBe(sent.body.message_id)
  expect((await service.write({ from: 'ana@example.com', in_reply_to: first.id })).body).toMatchObject({
    error: 'invalid_request',
    details: [{ field: 'in_reply_to' }],
  })
})

it('what cannot be written is refused in words', async () => {
  const service = await startTalk()
  await using _end = service
  for (const from of ['nobody', 'a@b@c', 'ana@[127.0.0.1]', 'a\u0000@example.com'])
    expect(await service.write({ from }), from).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  await service.call('POST', '/lists', { body: { pattern: '*@spam.example', direction: 'receive' } })
  const refused = await service.write({ from: 'eve@spam.example' })
  expect(refused).toMatchObject({ status: 422, body: { error: 'mail_refused' } })
  expect(refused.body.message).toMatch(/^The message was refused: 5\d\d /)
  const stranger = new Browser(service.service)
  await stranger.sign('sign-up', { email: 'eve@example.com', password: 'correct horse battery' })
  const { tenantId, inboxId } = service.home
  const asked = { inbox_id: inboxId, from: 'a@example.com', text: 'Hi' }
  expect(await stranger.call('POST', `/accounts/${tenantId}/talk`, asked)).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

it('where mail leaves nobody is played, and where no port for SMTP is open it says so', async () => {
  await using real = await openService({ delivery: 'smtp://127.0.0.1:1' })
  const owner = await ownerOf(real)
  const asked = { inbox_id: real.home.inboxId, from: 'ana@example.com', text: 'Hi' }
  const path = `/accounts/${real.home.tenantId}/talk`
  const answer = await owner.call('POST', path, asked)
  expect(answer).toMatchObject({ status: 403, body: { error: 'capture_required' } })
  expect(answer.body.message).toContain('restante dev')
  const page = async ({ service }: QuietService) =>
    (await service.fetch(new Request('http://restante.test/console'))).text()
  expect(await page(real)).toContain('name="restante-delivery" content="real"')
  await using closed = await openService({ delivery: 'capture', smtp: 'off' })
  expect(await page(closed)).toContain('name="restante-delivery" content="capture"')
  const body = { ...asked, inbox_id: closed.home.inboxId }
  expect(
    await (await ownerOf(closed)).call('POST', `/accounts/${closed.home.tenantId}/talk`, body),
  ).toMatchObject({ status: 422, body: { error: 'mail_refused' } })
})
