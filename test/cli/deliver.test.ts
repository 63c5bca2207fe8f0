import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
// @ts-expect-error: what is deployed at Cloudflare is plain JavaScript
import worker from '../../deploy/cloudflare-worker.js'
import { openService, type QuietService } from '../support/service'
import { cliPath, start } from './support/cli'
import { runHere } from './support/in-process'

let folder: string
let service: QuietService
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restante-'))
  const opened = await openService({ data: join(folder, 'data'), smtp: 'off' })
  service = opened
  const listening = await opened.listen()
  url = listening.url
  expect(listening.smtp).toBe('off')
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const restante = (args: string[], options: { env?: Record<string, string>; input?: string } = {}) =>
  start(process.execPath, [cliPath, ...args], { cwd: folder, ...options }).ended

const adminKey = async (args: string[], env: Record<string, string> = {}) => {
  const made = await restante(['admin', 'inbound-key', '--data', 'data', '--json', ...args], { env })
  expect(made.code, made.err).toBe(0)
  return JSON.parse(made.out) as { id: string; api_key: string; url: string; everywhere: boolean }
}

const raw = 'From: ana@example.net\nSubject: Piped\nMessage-ID: <piped@example.net>\n\nHello\n'

it('is ready over one HTTP port, without SMTP', async () => {
  const response = await fetch(url.replace('/v1', '/readyz'))
  expect(await response.json()).toMatchObject({ status: 'ok', smtp: 'off' })
})

it('brings in what a mail server pipes to it, and ends as sysexits.h says', async () => {
  const { api_key, everywhere } = await adminKey([])
  expect(everywhere).toBe(true)
  await writeFile(join(folder, 'key'), `${api_key}\n`)
  const deliver = (to: string, more: string[] = ['--key-file', 'key'], input = raw) =>
    restante(['deliver', '--from', 'ana@example.net', '--to', to, '--url', url, ...more], { input })
  const { address } = service.home
  const [taken, again, nobody, empty, wrongKey, noKey, away] = [
    await deliver(address),
    await deliver(address, ['--key-file', 'key', '--json']),
    await deliver('nobody@restante.localhost'),
    await deliver(address, ['--key-file', 'key'], ''),
    await deliver(address, ['--key', 'rst_wrong']),
    await deliver(address, ['--key-file', 'none']),
    await deliver(address, ['--key-file', 'key', '--url', 'http://127.0.0.1:9/v1']),
  ]
  expect([taken, again, nobody, empty, wrongKey, noKey, away].map(({ code }) => code)).toEqual([
    ...[0, 0, 67, 65],
    ...[75, 75, 75],
  ])
  expect(taken.out).toMatch(/^Delivered: msg_/)
  expect(JSON.parse(again.out)).toMatchObject({ idempotent: true })
  expect(nobody.err).toMatch(/No inbox here has the address/)
}, 60_000)

/** Runs `restante deliver` here, with a mail on standard input. */
async function deliverHere(args: string[], input: string) {
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as never)
  try {
    return await runHere(['deliver', ...args, '--url', url, '--key-file', join(folder, 'bounces')])
  } finally {
    stdin.mockRestore()
  }
}

it('takes the bounces of Postfix, for several recipients at once', async () => {
  const key = { account_id: service.home.tenantId, name: 'bounces', scopes: ['inbound' as const] }
  await writeFile(join(folder, 'bounces'), (await service.service.keys.create(key)).api_key)
  const { body: second } = await service.call('POST', '/inboxes', { body: {} })
  const names = ['MAILER-DAEMON', '<>', '']
  for (const [n, name] of names.entries()) {
    const bounce = raw.replace('piped', `bounce-${n}`)
    const to = [service.home.address, second.address, 'nobody@restante.localhost']
    const { code, out, err } = await deliverHere(['--from', name, '--to', ...to], bounce)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Delivered: msg_\w+, msg_\w+\nRefused: nobody@restante.localhost \(mailbox_unav/)
    const { messages } = (await service.call('GET', '/messages?limit=2')).body
    for (const { id } of messages) {
      const message = (await service.call('GET', `/messages/${id}`)).body
      expect(message).toMatchObject({
        rfc822_message_id: `<bounce-${n}@example.net>`,
        unanswerable: 'automatic',
      })
    }
  }
})

it('puts a mail off where its arguments are wrong, and loses none', async () => {
  const ends = [
    await deliverHere(['--from', 'a@example.net'], raw),
    await deliverHere(['--from', 'a@example.net', '--to'], raw),
    await deliverHere(['--from', 'a@example.net', '--to', 'b@example.net', '--nonsense'], raw),
    await deliverHere(['--from', 'MAILER-DAEMON', 'extra', '--to', 'b@example.net'], raw),
    await deliverHere(['--help'], raw),
  ]
  expect(ends.map(({ code }) => code)).toEqual([75, 75, 75, 75, 0])
  expect(ends[0]!.err).toMatch(/^restante: required option '--to <address...>' not specified\./)
})

it('puts a mail off whose command names no address, and returns one to an address that nobody can have', async () => {
  const words = []
  for (const to of ['', 'root', '@example.net', '"a b"@restante.localhost', 'nobody@restante.localhost'])
    words.push([to, await deliverHere(['--from', 'a@example.net', '--to', to], raw)] as const)
  expect(words.map(([to, { code }]) => [to, code])).toEqual([
    ...[
      ['', 75],
      ['root', 75],
      ['@example.net', 75],
    ],
    ...[
      ['"a b"@restante.localhost', 67],
      ['nobody@restante.localhost', 67],
    ],
  ])
  expect(words[1]![1].err).toContain('It is not an address. Give the recipient with its domain')
})

it.each([
  ['mailgun', {}, /set MAILGUN_SIGNING_KEY to the HTTP webhook signing key/],
  ['mailgun', { MAILGUN_SIGNING_KEY: ' ' }, /set MAILGUN_SIGNING_KEY to/],
  ['mailgun', { MAILGUN_SIGNING_KEY: 'short' }, /MAILGUN_SIGNING_KEY must have 8 characters at least/],
  ['sendgrid', {}, /set SENDGRID_PUBLIC_KEY to the public key/],
  ['resend', {}, /set RESEND_SIGNING_SECRET to .+; set RESEND_API_KEY to/],
  ['ses', {}, /set SES_TOPIC_ARN to the ARN of the SNS topic[^;]*\.$/],
  ['ses', { SES_TOPIC_ARN: 'mail' }, /SES_TOPIC_ARN must be the ARN of an SNS topic, as arn:aws:sns/],
  [
    'ses',
    { SES_TOPIC_ARN: 'arn:aws:sns:eu-west-1:123456789012:mail', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' },
    /: set AWS_SECRET_ACCESS_KEY to the secret of that key/,
  ],
])('names what %s needs and was not given by %j', async (provider, env, words) => {
  const names = ['MAILGUN_SIGNING_KEY', 'SENDGRID_PUBLIC_KEY', 'RESEND_SIGNING_SECRET', 'RESEND_API_KEY']
  for (const name of [...names, 'SES_TOPIC_ARN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, (env as Record<string, string>)[name] ?? '')
  try {
    const { code, err } = await runHere(['admin', 'inbound-key', '--provider', provider])
    expect([code, err.trim()]).toEqual([1, expect.stringMatching(words)])
    expect(err).not.toMatch(/undefined|expected|Invalid/)
  } finally {
    vi.unstubAllEnvs()
  }
})

it('makes the key of a provider, and says where it posts', async () => {
  const made = await adminKey(['--provider', 'mailgun', '--account', service.home.address], {
    MAILGUN_SIGNING_KEY: 'key-of-mailgun',
    RESTANTE_PUBLIC_URL: 'https://mail.example.com',
  })
  expect(made.url).toBe(`https://mail.example.com/v1/inbound/keys/${made.id}/mailgun-mime`)
  expect(JSON.stringify(made)).not.toContain('key-of-mailgun')
}, 30_000)

it('takes what the worker for Cloudflare brings', async () => {
  const { id, api_key } = await adminKey(['--provider', 'cloudflare'])
  const env = { RESTANTE_URL: `${url}/inbound/keys/${id}/cloudflare`, RESTANTE_KEY: api_key }
  const rejected: string[] = []
  const message = (to: string) => ({
    from: 'a+b@example.net',
    to,
    raw: new Blob([new Uint8Array([...Buffer.from(raw.replace('piped', 'worked')), 0x80, 0xff])]).stream(),
    setReject: (why: string) => rejected.push(why),
  })
  await worker.email(message(service.home.address), env)
  const { messages } = (await service.call('GET', '/messages?limit=1')).body
  expect(messages[0]).toMatchObject({ rfc822_message_id: '<worked@example.net>' })
  expect(rejected).toEqual([])
  await worker.email(message('nobody@restante.localhost'), env)
  expect(rejected).toEqual([expect.stringMatching(/No inbox here/)])
  await expect(
    worker.email(message(service.home.address), { ...env, RESTANTE_KEY: 'rst_other' }),
  ).rejects.toThrow(/503/)
}, 30_000)
