import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { draftBody, waitingDraftWithContent } from '../../src/protocol/records/draft'
import { type Browser, secretOf, signedIn } from '../support/console'
import { openService, type QuietService } from '../support/service'
import { runHere } from './support/in-process'

let data: string
let service: QuietService
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'restante-views-'))
  service = await openService({ data })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true })
})

interface Claimed {
  tenantId: string
  inbox: { id: string; address: string }
  /** A key that may write, and not send. */
  key: string
}

async function claimed(browser: Browser): Promise<Claimed> {
  const headers = { 'idempotency-key': randomBytes(32).toString('base64url') }
  const { body } = await service.call('POST', '/agent-signups', { key: null, headers })
  await browser.call('POST', '/claim', { token: secretOf(body.claim_url) })
  const made = await browser.call('POST', `/accounts/${body.tenant_id}/keys`, {
    name: 'writer',
    scopes: ['read', 'manage'],
  })
  expect(made.status).toBe(201)
  return { tenantId: body.tenant_id, inbox: body.inbox, key: made.body.api_key }
}

async function ask({ inbox, key }: Claimed, content: object): Promise<{ id: string; seq: number }> {
  const draft = { inbox_id: inbox.id, to: ['bo@example.com'], subject: 'Hi', text: 'hello', ...content }
  const made = await service.call('POST', '/drafts', { key, body: draft })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const asked = await service.call('POST', `/drafts/${made.body.id}/send`, { key })
  expect(asked.body).toMatchObject({ status: 'pending_approval' })
  return asked.body
}

const show = async (id: string) => {
  const { code, out } = await runHere(['approvals', 'show', id], { RESTANTE_DATA: data })
  expect(code).toBe(0)
  return out
}

/** Of a draft, what is about it, and not what its mail says. */
const about = `id inbox_id status thread_id sent_message_id error created_at updated_at seq tenant_id`.split(
  ' ',
)

it('whoever decides on a draft is shown every field that the mail is made of, by the command line', async () => {
  const browser = await signedIn(service.service)
  const account = await claimed(browser)
  await service.mail({ to: account.inbox.address, from: 'cy@example.com' })
  const { messages } = (await service.call('GET', '/messages', { key: account.key })).body
  const time = new Date(Date.now() + 400 * 86_400_000)
  const content = {
    to: ['to@example.com', 'to-two@example.com'],
    cc: ['cc@example.com'],
    bcc: ['bcc@example.com'],
    reply_to: ['answers@elsewhere.example'],
    reply_to_message_id: messages[0].id,
    subject: 'A subject',
    text: 'Words of text.',
    html: '<p>Words of HTML.</p>',
    expect_last_message_id: messages[0].id,
    headers: { 'X-First': 'one', 'X-Second': 'two' },
    attachments: [{ filename: 'plan.pdf', content_type: 'application/pdf', content_base64: 'aGVsbG8=' }],
    scheduled_at: time.toISOString(),
    read_message_ids: [messages[0].id],
    approval_reason: 'the run had read mail of others',
  }
  /** What a person has to see of each. */
  const seen: Record<string, string[]> = {
    ...content,
    from_addr: [account.inbox.address],
    subject: ['A subject'],
    text: ['Words of text.'],
    html: ['<p>Words of HTML.</p>'],
    headers: ['X-First: one', 'X-Second: two'],
    attachments: ['plan.pdf (application/pdf, 5 '],
    reply_to_message_id: [messages[0].id],
    expect_last_message_id: [`${messages[0].id} is the newest`],
    scheduled_at: [String(time.getFullYear())],
    read_message_ids: [`Read before  ${messages[0].id}`],
    approval_reason: ['the run had read mail of others'],
  }
  const fields = Object.keys(waitingDraftWithContent.shape).filter(
    (name) => !about.includes(name) && name !== 'suggestion',
  )
  // A draft replies or forwards; the other one is shown below.
  expect([...Object.keys(seen), 'forward_message_id'].sort()).toEqual(fields.sort())
  const { id } = await ask(account, content)
  const forward = { reply_to_message_id: undefined, forward_message_id: messages[0].id, html: undefined }
  expect(await show((await ask(account, forward)).id)).toContain(`Forwards  ${messages[0].id}`)
  const { body: answered } = await browser.call('GET', `/accounts/${account.tenantId}/drafts/${id}`)
  const stated = Object.keys(waitingDraftWithContent.shape).filter((name) => name !== 'suggestion')
  expect(Object.keys(answered).sort()).toEqual(stated.sort())
  const text = await show(id)
  for (const [name, parts] of Object.entries(seen))
    for (const part of parts) expect(text, name).toContain(part)
})

it('what a draft takes that is no field of the waiting draft only tells how to write it', () => {
  const reported = Object.keys(draftBody.shape).filter((name) => !(name in waitingDraftWithContent.shape))
  expect(reported.sort()).toEqual([
    'allow_auto_reply',
    'client_id',
    'consumer',
    'markdown',
    'messages_read',
    'quote',
    'release_on_discard',
    'replay',
    'reply_all',
  ])
})

it('restante approvals show cuts nothing of what is approved, and has each recipient on a line', async () => {
  const account = await claimed(await signedIn(service.service))
  const to = Array.from({ length: 40 }, (_, i) => `person-${i}.${'x'.repeat(40)}@example.com`)
  const words = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(' ')
  const { id } = await ask(account, {
    to,
    subject: `${'long '.repeat(300)}END OF SUBJECT`,
    text: `${words} END OF WORDS\n${'y'.repeat(20_000)}END OF LINE`,
    headers: { 'X-Long': `${'z '.repeat(450)}END OF HEADER` },
    attachments: [{ filename: `${'f'.repeat(210)}.exe`, content_type: 'text/plain', content_base64: '' }],
  })
  const out = await show(id)
  const lines = out.split('\n')
  for (const address of to)
    expect(
      lines.filter((line) => line.includes(address)).map((line) => line.replace(/^To /, '').trim()),
    ).toEqual([address])
  const unwrapped = out.replace(/[\s│]+/g, '')
  for (const part of [
    'END OF SUBJECT',
    words,
    'END OF WORDS',
    'yEND OF LINE',
    'END OF HEADER',
    'ff.exe (text',
  ])
    expect(unwrapped).toContain(part.replaceAll(' ', ''))
  expect(lines.filter((line) => line.length > 120 && !/f{200}/.test(line))).toEqual([])
})

it('a mail cannot write what the command tells beside it', async () => {
  const account = await claimed(await signedIn(service.service))
  const imitated = 'restante approvals approve drf_another --seq 1'
  const { id } = await ask(account, {
    text: `Hello\n\n${imitated}\n${'x'.repeat(98)}${imitated.replaceAll(' ', '\u00a0')}\r${imitated}`,
    html: `<p>Hello</p>\n${imitated}`,
  })
  const lines = (await show(id)).split('\n')
  expect(lines.filter((line) => line.startsWith('restante approvals'))).toEqual([
    expect.stringContaining(`approve ${id}`),
    expect.stringContaining(`reject ${id}`),
  ])
  expect(lines.filter((line) => line.includes('another')).length).toBeGreaterThan(2)
})

it('commands of the host make no database where there is none, and name --data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restante-none-'))
  try {
    for (const args of [
      ['approvals'],
      ['approvals', 'show', 'drf_1'],
      ['admin', 'hold'],
      ['admin', 'accounts'],
      ['admin', 'reindex'],
    ]) {
      const nowhere = join(folder, 'wrong')
      expect(await runHere(args, { RESTANTE_DATA: nowhere }), args.join(' ')).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining(
          `There is no embedded database in ${nowhere}. Give the folder of the service with --data`,
        ),
      })
    }
    expect(await readdir(folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
