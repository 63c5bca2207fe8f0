import { build } from 'esbuild'
import { Mailbox, type Message } from 'restante'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReal } from './support/real'

/** Calls as JavaScript makes them, which no compiler looks at. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse what is tried here
type Loose = any

let real: Awaited<ReturnType<typeof openReal>>
let message: Message
const mailbox = (): Loose => real.mailbox
beforeAll(async () => {
  real = await openReal()
  message = await real.receive()
})
afterAll(() => real[Symbol.asyncDispose]())

const invalid = (words: string | RegExp) => ({
  code: 'invalid_options',
  message: expect.stringMatching(words),
})

describe('a mail with an option that there is not', () => {
  test.each<[string, (message: Loose) => unknown, RegExp]>([
    [
      'reply({ body })',
      (it) => it.reply({ body: 'x' }),
      /^reply\(\) takes { text, .* }, not body: say text$/,
    ],
    [
      'reply({ text, reply_all })',
      (it) => it.reply({ text: 'x', reply_all: true }),
      /not reply_all: say replyAll$/,
    ],
    ['reply({ text, bananas })', (it) => it.reply({ text: 'x', bananas: 1 }), /not bananas$/],
    ['reply()', (it) => it.reply(), /^reply\(\) takes { text, .* }, not undefined$/],
    ['reply(42)', (it) => it.reply(42), /not number$/],
    ['replyAll({ body })', (it) => it.replyAll({ body: 'x' }), /not body: say text$/],
    ['forward(address)', (it) => it.forward('bo@example.com'), /^forward\(\) takes { to, .* }, not string$/],
    [
      'forward({ recipients })',
      (it) => it.forward({ recipients: 'bo@example.com' }),
      /not recipients: say to$/,
    ],
    ['draft({ body })', (it) => it.draft({ body: 'x' }), /^draft\(\) takes .* not body: say text$/],
    ['thread.reply({ body })', async (it) => (await it.thread()).reply({ body: 'x' }), /not body: say text$/],
    [
      'send({ to, body })',
      () => mailbox().send({ to: 'bo@example.com', body: 'x' }),
      /^send\(\) takes .* not body: say text$/,
    ],
    [
      'send({ from })',
      () => mailbox().send({ to: 'b@x.example', text: 'x', from: 'a@x.example' }),
      /not from: say inbox$/,
    ],
    ['send(text)', () => mailbox().send('hello'), /^send\(\) takes { to, .* }, not string$/],
    ['drafts.create({ content })', () => mailbox().drafts.create({ content: 'x' }), /not content: say text$/],
    [
      'drafts.update({ scheduled_at })',
      () => mailbox().drafts.update('drf_1', { scheduled_at: 'x' }),
      /not scheduled_at: say scheduledAt$/,
    ],
  ])('%s sends nothing, and says what was meant', async (_what, call, words) => {
    await expect((async () => call(message))()).rejects.toMatchObject(invalid(words))
    expect(await real.sentMail()).toEqual([])
  })
})

describe('a mail that says nothing', () => {
  test.each<[string, (message: Loose) => unknown]>([
    ['reply({})', (it) => it.reply({})],
    ['reply({ text: undefined })', (it) => it.reply({ text: undefined })],
    ["reply('')", (it) => it.reply(' ')],
    ['reply({ quote })', (it) => it.reply({ quote: true })],
    ['replyAll({ text: null })', (it) => it.replyAll({ text: null })],
    ['thread.reply({ attachments: [] })', async (it) => (await it.thread()).reply({ attachments: [] })],
    ['send({ to, subject })', () => mailbox().send({ to: 'bo@example.com', subject: 'Hi' })],
  ])('%s is refused before anything is asked of the service', async (_what, call) => {
    const before = real.service.requests.length
    await expect((async () => call(message))()).rejects.toMatchObject({
      code: 'message_empty',
      message: expect.stringContaining('give text, html, markdown or attachments'),
    })
    expect(real.service.requests.slice(before).filter((one) => one.startsWith('POST'))).toEqual([])
  })
})

describe('other options that there are not', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'incoming({ name })',
      () => mailbox().incoming({ name: 'bot' }),
      /^incoming\(\) takes .* not name: say consumer$/,
    ],
    [
      'run(handler, { name })',
      () => mailbox().run(() => {}, { name: 'bot' }),
      /^run\(\) takes .* not name: say consumer$/,
    ],
    ['run(handler, {})', () => mailbox().run(() => {}, {}), /^run\(\) needs the name of a consumer/],
    ['messages.list({ q })', () => mailbox().messages.list({ q: 'x' }), /not q: say query$/],
    ['messages.watch({ from })', () => mailbox().messages.watch({ from: 'x' }), /not from/],
    ['threads.list({ threadId })', () => mailbox().threads.list({ threadId: 'x' }), /not threadId$/],
    ['threads.watch({ cursor })', () => mailbox().threads.watch({ cursor: 'x' }), /not cursor$/],
    ['drafts.list({ spam })', () => mailbox().drafts.list({ spam: true }), /not spam$/],
    ['drafts.send(id, { seq })', () => mailbox().drafts.send('drf_1', { seq: 1 }), /not seq$/],
    [
      'waitFor({ form })',
      () => mailbox().waitFor({ form: 'x' }),
      /^waitFor\(\) takes { from, .* timeoutMs, signal, within }, not form: say from$/,
    ],
    ['waitFor({}, { timeout })', () => mailbox().waitFor({}, { timeout: 5 }), /not timeout: say timeoutMs$/],
    [
      'waitFor({}, { from })',
      () => mailbox().waitFor({}, { from: 'x' }),
      /not from: from belongs in the first argument, with the filter$/,
    ],
    [
      'expect({}, { kind })',
      () => mailbox().expect({}, { kind: 'code' }),
      /^expect\(\) takes .* kind belongs in the first argument/,
    ],
    [
      'nextReply(message, { from })',
      () => mailbox().nextReply(message, { from: 'x' }),
      /from belongs to waitFor\(\) and expect\(\)$/,
    ],
    [
      'resumeWait(token, { kind })',
      () => mailbox().resumeWait('wait_', { kind: 'code' }),
      /kind belongs to waitFor\(\)/,
    ],
  ])('%s is refused in words', async (_what, call, words) => {
    await expect((async () => call())()).rejects.toMatchObject(invalid(words))
  })

  test.each<[string, unknown, RegExp]>([
    ['open()', undefined, /needs { url, apiKey } of a service, or { service } in the same process/],
    ['open({})', {}, /needs { url, apiKey }/],
    ['open({ url })', { url: 'http://localhost:1' }, /needs { url, apiKey }/],
    ['open(url)', 'http://localhost:1', /^Mailbox\.open\(\) takes { url, .* }, not string$/],
    ['open({ url, key })', { url: 'http://localhost:1', key: 'rst_1' }, /not key: say apiKey$/],
    ['open({ baseUrl })', { baseUrl: 'http://localhost:1' }, /not baseUrl: say url$/],
  ])('Mailbox.%s says what is missing', async (_what, options, words) => {
    await expect((Mailbox as Loose).open(options)).rejects.toMatchObject(invalid(words))
  })
})

test('a string is the text of a reply', async () => {
  const context = await openReal()
  const [first, second, third] = [
    await context.receive({ subject: '1' }),
    await context.receive({ subject: '2', cc: 'cy@example.com' }),
    await context.receive({ subject: '3' }),
  ]
  await first!.reply('hello')
  await second!.replyAll('hello all')
  await (await third!.thread()).reply('hello thread')
  const sent = await context.sentMail()
  expect(sent.map(({ text, cc }) => [text, cc])).toEqual([
    ['hello thread', []],
    ['hello all', ['cy@example.com']],
    ['hello', []],
  ])
  await context[Symbol.asyncDispose]()
})

test.each(['waitFor', 'expect'] as const)(
  '%s takes its bounds beside what it waits for, or after it',
  async (name) => {
    const { mailbox } = real
    for (const wait of [
      mailbox[name]({ subject: 'never', timeoutMs: 1 }),
      mailbox[name]({ subject: 'never' }, { timeoutMs: 1 }),
      mailbox[name](() => false, { timeoutMs: 1 }),
    ])
      await expect(wait).rejects.toMatchObject({ code: 'wait_timed_out' })
  },
)

test('errors keep their names where a bundler renames classes', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from './src/protocol/errors/error'", resolveDir: process.cwd() },
    ...{ bundle: true, minify: true, format: 'esm', write: false },
  })
  const errors: Loose = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)
  expect(errors.UsageError.toString()).not.toMatch(/^class UsageError/)
  for (const name of ['RestanteError', 'ServiceError', 'NetworkError', 'HandlerError', 'UsageError'])
    expect(String(new errors[name]('code', 'words', { status: 400 }))).toBe(`${name}: words`)
})
