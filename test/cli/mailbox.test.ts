import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { verifyWebhook } from 'restante/webhook'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startService, type TestService } from '../support/service'
import { cli, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

const json = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs a command with the key of the service. */
const run = (...args: string[]) =>
  runHere(args, { RESTANTE_URL: service.url, RESTANTE_API_KEY: service.home.apiKey })
const done = async (...args: string[]) => {
  const { code, out, err } = await run(...args)
  expect([code, err], args.join(' ')).toEqual([0, ''])
  return out
}

describe('the command line reads and writes mail', () => {
  it('sends a file by SMTP, lists and reads what came, answers it, and shows what was captured', async () => {
    const file = join(await temporaryFolder(), 'offer.txt')
    await writeFile(file, 'The offer.')
    const sent = await runHere(
      ['send', service.home.address, 'Is it blue?', '--subject', 'Bicycle', '--attach', file],
      { RESTANTE_SMTP: service.smtp },
    )
    expect(sent).toMatchObject({ code: 0, err: '' })
    const [line, , next] = (await done('mail', 'bicycle', '--received')).split('\n')
    expect(line).toMatch(/^m\d+-\w{3} +20\d\d-\d\d-\d\d \d\d:\d\d {2}from you@example\.com +"Bicycle"$/)
    const [handle = ''] = /^m\S+/.exec(line!)!
    expect(next).toBe(`Show the first one: restante read ${handle}`)
    const shown = await done('read', handle)
    expect(shown).toMatch(/^From {5}you@example\.com {2}sender not verified$/m)
    expect(shown).toContain('Files    offer.txt (10 B)\n')
    expect(shown).toMatch(/\n\nIs it blue\?\n$/)
    expect(await done('reply', handle, 'Yes, it is.', '--attach', file)).toBe(
      `Replied to ${handle}: it is being sent\n`,
    )
    await expect.poll(() => done('mail', '--sent')).toMatch(/to +you@example\.com +"Re: Bicycle" {2}sent$/m)
    const newest = await done('read')
    expect(newest).toContain('Status   sent (captured: nothing left this machine)')
    expect(newest).toContain('Files    offer.txt (10 B)\n')
    expect(newest).toMatch(/\n\nYes, it is\.\n$/)
    expect(await done('read', handle, '--raw')).toMatch(/^From: you@example\.com\r\n[\s\S]*\r\n\r\n/)
    const [record] = json(await done('mail', 'blue', '--json'))
    expect(record).toMatchObject({ handle, subject: 'Bicycle', direction: 'inbound' })
    expect((await run('read', 'm1-xxx')).err).toMatch(/^restante: m1-xxx names no message here.*\n$/)
    expect(await done('mail', 'nothing-has-this-word')).toBe('No messages match.\n')
  })

  it('sends a file with a key, and refuses one that is not there before anything is sent', async () => {
    const file = join(await temporaryFolder(), 'terms.txt')
    const missing = ['send', 'bo@example.com', 'Hi', '--attach', file]
    const ways: Record<string, string>[] = [
      { RESTANTE_SMTP: service.smtp },
      { RESTANTE_API_KEY: service.home.apiKey },
    ]
    for (const env of ways)
      expect(await runHere(missing, { RESTANTE_URL: service.url, ...env })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^restante: .*terms\.txt.*ENOENT.*\n$/),
      })
    await writeFile(file, 'Pay at once.')
    expect(await done('send', 'bo@example.com', 'Hi', '--attach', file)).toBe(
      'Sent to bo@example.com: it is being sent\n',
    )
    expect(await done('read')).toContain('Files    terms.txt (12 B)\n')
  })

  it('refuses mail from an inbox to itself, and writes to it as somebody else with a key', async () => {
    const { address } = service.home
    for (const to of [
      address,
      address.toUpperCase(),
      address.replace('@', '+tag@'),
      `The agent <${address}>`,
    ])
      expect(await run('send', to, 'Hello'), to).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is the inbox of your API key.*--from you@example\.com/),
      })
    const env = { RESTANTE_URL: service.url, RESTANTE_API_KEY: service.home.apiKey }
    const from = ['--from', 'ana@example.com', '--subject', 'By SMTP']
    expect(
      await runHere(['send', address, 'Hello', ...from], { ...env, RESTANTE_SMTP: service.smtp }),
    ).toMatchObject({ code: 0, err: '', out: expect.stringContaining('said: 250') })
    const [record] = json(await done('mail', '--received', '--json'))
    expect(record).toMatchObject({ subject: 'By SMTP', from_addr: 'ana@example.com' })
  })

  it('sends and answers with Markdown, from an inbox', async () => {
    await done('send', 'bo@example.com', 'Pay **soon**', '--markdown')
    const [record] = json(await done('mail', '--sent', '--json'))
    expect(await done('read', record.handle, '--raw')).toContain('<strong>soon</strong>')
    await done('reply', record.handle, 'It is *late*', '--markdown')
    expect(await done('read', '--raw')).toContain('<em>late</em>')
    expect(
      await runHere(['send', 'bo@example.com', 'Hi', '--markdown'], { RESTANTE_SMTP: service.smtp }),
    ).toMatchObject({ code: 1, err: expect.stringContaining('--markdown') })
  })

  it('shows mail without what a terminal would obey', async () => {
    await service.mail({
      subject: 'x\u001b[2Jy',
      text: '\u001b[31mred\u202e\nsecond line',
      from: 'eve@example.com',
    })
    for (const args of [['mail'], ['read'], ['read', '--json']])
      expect((await done(...args)).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(await done('read')).toContain('red \nsecond line\n'.replace(' \n', '\n'))
  })

  it('lists drafts, and sends one as it was shown only', async () => {
    const body = { inbox_id: service.home.inboxId, to: ['bo@example.com'], subject: 'Plan', text: 'First.' }
    const { body: draft } = await service.call('POST', '/drafts', { body })
    expect(await done('drafts')).toBe(`${draft.id}  draft             "Plan"\n`)
    const shown = await done('drafts', 'show', draft.id)
    expect(shown).toContain('First.')
    const [, command = ''] = /Send it: (restante drafts send .*)/.exec(shown)!
    await service.call('PATCH', `/drafts/${draft.id}`, { body: { text: 'Second.' } })
    expect((await run(...command.split(' ').slice(1))).err).toContain('was changed meanwhile')
    expect(await done('drafts', 'send', draft.id)).toBe(`${draft.id}: it is being sent.\n`)
    expect(await done('drafts')).toBe('No drafts.\n')
  })
})

it('restante consumers tells what loops have left to do, and sends round what was skipped', async () => {
  expect((await run('consumers')).code).toBe(0)
  await service.call('POST', '/consumers', { body: { name: 'bot', from: 'now' } })
  await service.mail({ subject: 'Away', headers: { 'auto-submitted': 'auto-replied' } })
  await service.call('POST', '/consumers/bot/lease', { body: {} })
  const state = async () =>
    (await done('consumers', 'list')).split('\n').find((line) => line.startsWith('bot '))
  expect(await state()).toMatch(/^bot +0 waiting, 0 being handled, 0 dead, 1 skipped$/)
  const skipped = await done('consumers', 'skipped', 'bot')
  expect(skipped).toMatch(/"Away" {2}automatic$/m)
  const [, command = ''] = /again: (restante consumers redrive .*)/.exec(skipped)!
  expect(await done(...command.split(' ').slice(1))).toBe('bot gets 1 messages again.\n')
  expect(await state()).toMatch(/1 waiting.* 0 skipped$/)
  expect(await done('consumers', 'dead', 'bot')).toBe('None.\n')
  expect((await run('consumers', 'skipped', 'nobody')).err).toContain('no consumer "nobody"')
})

it('restante signup makes an account, the same for the same Idempotency-Key', async () => {
  const args = ['signup', '--url', service.url, '--local-part', 'sam']
  const idempotency = { RESTANTE_IDEMPOTENCY_KEY: 's'.repeat(43) }
  const { code, out, err } = await runHere(args, idempotency)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('sam@restante.localhost')
  const [, key] = /export RESTANTE_API_KEY=(rst_\S+)/.exec(out)!
  expect(out).toMatch(/\/claim#token=\S+/)
  const again = await runHere([...args, '--json'], idempotency)
  expect(json(again.out)).toMatchObject([{ api_key: key, inbox: { address: 'sam@restante.localhost' } }])
  const taken = await runHere(['signup', '--url', service.url, '--local-part', 'sam'])
  expect(taken.err).toMatch(/^restante: .*sam is taken.*\n$/)
})

describe('webhooks', () => {
  it('are made, listed and deleted by the command line', async () => {
    const made = await done('webhooks', 'add', 'https://agent.example/hook')
    const [, id = ''] = /webhook +(whk_\S+)/.exec(made)!
    expect(made).toMatch(/secret +whsec_\S+\n[\s\S]*not shown again/)
    expect(await done('webhooks')).toBe(
      `${id}  https://agent.example/hook  message.received  no delivery yet\n`,
    )
    expect(await done('webhooks', 'test', id)).toContain('Sending an event')
    // No name server knows agent.example.
    await expect.poll(() => done('webhooks')).toMatch(/ {2}failing since \S+Z: \S.*\n$/)
    const failed = await done('webhooks', 'deliveries', id)
    expect(failed).toMatch(
      /^\S+ {2}webhook\.test {2}pending after \d+ attempts, next attempt at \S+Z: \S.*\n$/,
    )
    const [delivery = ''] = failed.split(' ')
    expect(await done('webhooks', 'deliveries', id, '--status', 'dead')).toBe('No deliveries yet.\n')
    expect(await done('webhooks', 'redeliver', id, delivery)).toBe(`Sending ${delivery} again.\n`)
    await done('webhooks', 'delete', id)
    expect(await done('webhooks')).toContain('No webhooks yet')
    expect((await run('webhooks', 'add', 'http://localhost:3000/hook')).err).toMatch(
      /must begin with https.*restante listen --forward/,
    )
  })

  it('can be tried on this machine: restante listen --forward posts what comes, signed as they are', async () => {
    const heard: { headers: Record<string, string>; body: string; path: string }[] = []
    const endpoint = createServer(async (request, response) => {
      const chunks = await request.toArray()
      heard.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        path: request.url ?? '',
      })
      response.writeHead(heard.length === 1 ? 500 : 204).end(heard.length === 1 ? 'oh no' : '')
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    onTestFinished(() => void endpoint.close())
    const hook = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`
    const env = { RESTANTE_URL: service.url, RESTANTE_API_KEY: service.home.apiKey }
    const listen = cli(['listen', '--forward', hook, '--event', 'message.received', '--json'], { env })
    const [, secret = ''] = await listen.err(/"secret":"(whsec_[^"]+)"/)
    await listen.err(/"state":"live"/)
    await service.mail({ subject: 'One' })
    await listen.line({ event: 'forwarded', error: 'the endpoint answered 500: oh no' })
    await service.mail({ subject: 'Two' })
    await listen.line({ event: 'forwarded', status: 204, type: 'message.received' })
    expect((await listen.kill('SIGINT')).code).toBe(0)
    expect(heard.map(({ path }) => path)).toEqual(['/hook', '/hook'])
    const events = await Promise.all(
      heard.map(({ headers, body }) => verifyWebhook({ secret, headers, body })),
    )
    expect(events.map(({ type, data }) => [type, data.subject])).toEqual([
      ['message.received', 'One'],
      ['message.received', 'Two'],
    ])
  })
})

it('beside a service that runs in this folder no key is needed', async () => {
  const data = await temporaryFolder()
  const running = await startService({ data })
  onTestFinished(() => running[Symbol.asyncDispose]())
  await running.mail({ subject: 'Here' })
  const { code, out } = await runHere(['mail', '--json'], { RESTANTE_DATA: data })
  expect([code, json(out)]).toEqual([0, [expect.objectContaining({ subject: 'Here' })]])
})
