import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, createWebhookReceiver, Mailbox, replyRecipients, untrustedText } from 'restante'
import * as aiSdk from 'restante/ai-sdk'
import { createMailboxAdapter } from 'restante/chat-sdk'
import * as dbos from 'restante/dbos'
import * as durable from 'restante/durable'
import * as events from 'restante/events'
import { createMcpHandler, serveMcp } from 'restante/mcp'
import { createService } from 'restante/service'
import { createWorld } from 'restante/testing'
import { createToolbox, runInbox } from 'restante/tools'
import { signWebhook, verifyWebhook } from 'restante/webhook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadVoltAgent } from './adapters/support/voltagent'
import { type Framework, factsOf } from './support/frameworks'
import { obstacle } from './support/proves'

/** Calls as JavaScript makes them, which no compiler looks at. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse what is tried here
type Loose = any

interface Place {
  world: Loose
  mailbox: Loose
  /** A message with a file. */
  message: Loose
  thread: Loose
  draft: Loose
  secret: string
}

let place: Place
beforeAll(async () => {
  const world = await createWorld()
  const mailbox = await world.open()
  const invite =
    'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20300101T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
  const attachments = [
    { filename: 'a.txt', content: 'a', contentType: 'text/plain' },
    { filename: 'invite.ics', content: invite, contentType: 'text/calendar' },
  ]
  const loop = mailbox.incoming()
  await world.person('ana@example.com').write({ to: mailbox.address, text: 'Hi', attachments })
  const { value: message } = await loop.next()
  await loop.return()
  const thread = await message!.thread()
  const draft = await mailbox.drafts.create({ text: 'x' })
  place = { world, mailbox, message, thread, draft, secret: `whsec_${btoa('a secret of a test')}` }
})
afterAll(() => place.world[Symbol.asyncDispose]())

/** A call by its name in refusals, with options that it takes beside those which it needs. */
type Row = [name: string, call: (place: Place, options: Loose) => unknown, needed?: (place: Place) => object]

const wake = async () => {}
const dbosLike = { workflowID: 'w', runStep: (step: () => unknown) => step(), recv: wake, send: wake }
const run = { id: 'r', step: (_name: string, step: () => unknown) => step(), wait: wake }
const context = {
  run: (_name: string, step: () => unknown) => step(),
  awakeable: () => ({ id: 'a', promise: Promise.resolve(null) }),
}
const question = () => ({ key: 'k', to: 'ana@example.com', subject: 's', text: 't' })
const mail = () => ({ to: 'ana@example.com', text: 'x' })
const named = () => ({ consumer: 'bot' })
const inMailbox = ({ mailbox }: Place) => ({ mailbox })

const mailboxRows: Row[] = [
  [
    'Mailbox.open()',
    (_, options) => Mailbox.open(options),
    ({ world: { service, clock } }) => ({ service, clock }),
  ],
  ['createClient()', (_, options) => createClient(options), () => ({ url: 'http://localhost:1' })],
  ['account.get()', ({ mailbox }, options) => mailbox.account(options)],
  ['messages.list()', ({ mailbox }, options) => mailbox.client.messages.list({}, options)],
  ['retry of account.get()', ({ mailbox }, retry) => mailbox.client.account.get({}, { retry })],
  ['mailbox.webhook()', ({ mailbox }, options) => mailbox.webhook(options), ({ secret }) => ({ secret })],
  ['createWebhookReceiver()', (_, options) => createWebhookReceiver(options)],
  ['incoming()', ({ mailbox }, options) => mailbox.incoming(options)],
  ['run()', ({ mailbox }, options) => mailbox.run(() => {}, options), named],
  ['waitFor()', ({ mailbox }, options) => mailbox.waitFor(options)],
  ['expect()', ({ mailbox }, options) => mailbox.expect(options)],
  ['nextReply()', ({ mailbox, message }, options) => mailbox.nextReply(message, options)],
  ['nextReply()', ({ thread }, options) => thread.nextReply(options)],
  ['resumeWait()', ({ mailbox, message }, options) => mailbox.resumeWait(tokenOf(mailbox, message), options)],
  ['send()', ({ mailbox }, options) => mailbox.send(options), mail],
  ['messages.list()', ({ mailbox }, options) => mailbox.messages.list(options)],
  ['messages.search()', ({ mailbox }, options) => mailbox.messages.search('x', options)],
  ['messages.watch()', ({ mailbox }, options) => mailbox.messages.watch(options)],
  ['messages.get()', ({ mailbox, message }, options) => mailbox.messages.get(message.id, options)],
  ['threads.list()', ({ mailbox }, options) => mailbox.threads.list(options)],
  ['threads.watch()', ({ mailbox }, options) => mailbox.threads.watch(options)],
  ['threads.get()', ({ mailbox, thread }, options) => mailbox.threads.get(thread.id, options)],
  ['labels.list()', ({ mailbox }, options) => mailbox.labels.list(options)],
  ['drafts.list()', ({ mailbox }, options) => mailbox.drafts.list(options)],
  ['drafts.watch()', ({ mailbox }, options) => mailbox.drafts.watch(options)],
  ['drafts.create()', ({ mailbox }, options) => mailbox.drafts.create(options)],
  ['drafts.get()', ({ mailbox, draft }, options) => mailbox.drafts.get(draft.id, options)],
  ['draft.update()', ({ draft }, options) => draft.update(options)],
  ['draft.send()', ({ draft }, options) => draft.send(options)],
  ['draft.delete()', ({ draft }, options) => draft.delete(options)],
  ['body()', ({ message }, options) => message.body(options)],
  ['codes()', ({ message }, options) => message.codes(options)],
  ['links()', ({ message }, options) => message.links(options)],
  ['raw()', ({ message }, options) => message.raw(options)],
  ['toPrompt()', ({ message }, options) => message.toPrompt(options)],
  ['toPrompt()', ({ thread }, options) => thread.toPrompt(options)],
  ['nack()', ({ message }, options) => message.nack(options)],
  ['thread()', ({ message }, options) => message.thread(options)],
  ['label()', ({ message }, options) => message.label('x', options)],
  ['unlabel()', ({ message }, options) => message.unlabel('x', options)],
  ['label()', ({ thread }, options) => thread.label('x', options)],
  ['unlabel()', ({ thread }, options) => thread.unlabel('x', options)],
  ['hold()', ({ thread }, options) => thread.hold(options)],
  ['release()', ({ thread }, options) => thread.release(options)],
  ['assign()', ({ thread }, options) => thread.assign(null, options)],
  ['close()', ({ thread }, options) => thread.close(options)],
  ['reopen()', ({ thread }, options) => thread.reopen(options)],
  ['snooze()', ({ thread }, options) => thread.snooze(new Date(), options)],
  ['handOver()', ({ message }, options) => message.handOver(options), () => ({ reason: 'x' })],
  ['archive()', ({ message }, options) => message.archive(options)],
  ['trash()', ({ message }, options) => message.trash(options)],
  ['restore()', ({ message }, options) => message.restore(options)],
  ['markRead()', ({ message }, options) => message.markRead(options)],
  ['markUnread()', ({ message }, options) => message.markUnread(options)],
  ['content()', ({ message }, options) => message.attachments[0].content(options)],
  ['text()', ({ message }, options) => message.attachments[0].text(options)],
  ['message()', ({ message }, options) => message.attachments[0].message(options)],
  ['files()', ({ message }, options) => message.attachments[0].files(options)],
  ['accept()', ({ message }, options) => message.invitation.accept(options)],
  ['decline()', ({ message }, options) => message.invitation.decline(options)],
  ['tentative()', ({ message }, options) => message.invitation.tentative(options)],
  [
    'propose()',
    ({ message }, options) => message.invitation.propose(options),
    () => ({ start: '2030-01-02T10:00:00Z', end: '2030-01-02T11:00:00Z' }),
  ],
  ['reply()', ({ message }, options) => message.reply(options), () => ({ text: 'x' })],
  ['replyAll()', ({ thread }, options) => thread.replyAll(options), () => ({ text: 'x', key: 'all' })],
  ['forward()', ({ message }, options) => message.forward(options), () => ({ to: 'bo@example.com' })],
  ['draft()', ({ message }, options) => message.draft(options), () => ({ text: 'x', key: 'draft' })],
  [
    'an attachment',
    ({ mailbox }, file) => mailbox.send({ ...mail(), attachments: [file] }),
    () => ({ filename: 'a.txt', content: 'a' }),
  ],
  [
    'replyRecipients()',
    ({ message }, options) => replyRecipients(message.record, options),
    () => ({ inbox: 'a@example.com', ours: [], all: false }),
  ],
  ['untrustedText()', (_, options) => untrustedText('x', options), () => ({ introduction: 'Mail.' })],
  ['state()', ({ mailbox }, options) => mailbox.consumer('bot').state(options)],
  ['deadLetters()', ({ mailbox }, options) => mailbox.consumer('bot').deadLetters(options)],
  ['skipped()', ({ mailbox }, options) => mailbox.consumer('bot').skipped(options)],
  ['redrive()', ({ mailbox }, options) => mailbox.consumer('bot').redrive(undefined, options)],
  ['pause()', ({ mailbox }, options) => mailbox.consumer('bot').pause(options)],
  ['resume()', ({ mailbox }, options) => mailbox.consumer('bot').resume(options)],
  ['delete()', ({ mailbox }, options) => mailbox.consumer('bot').delete(options)],
]

const tokenOf = (mailbox: Loose, message: Loose): string => {
  using wait = mailbox.nextReply(message)
  return wait.token
}

const toolRows: Row[] = [
  ['createToolbox()', ({ mailbox }, options) => createToolbox(mailbox, options)],
  ['public', ({ mailbox }, options) => createToolbox(mailbox, { public: options })],
  ['prompt()', ({ mailbox, message }, options) => createToolbox(mailbox, { message }).prompt(options)],
  ['fork()', ({ mailbox }, options) => createToolbox(mailbox).fork(options)],
  ['runInbox()', (_, options) => runInbox(options, async () => ''), inMailbox],
  ['agentInbox()', (_, options) => aiSdk.agentInbox(options), inMailbox],
  ['createMailboxTools()', ({ mailbox }, options) => aiSdk.createMailboxTools(mailbox, options)],
  ['createMailboxAdapter()', ({ mailbox }, options) => createMailboxAdapter(mailbox, options)],
  ['createMcpHandler()', ({ mailbox }, options) => createMcpHandler(mailbox, options)],
  ['askByMail()', ({ mailbox }, options) => dbos.askByMail(dbosLike as Loose, mailbox, options), question],
  ['askByMail()', ({ mailbox }, options) => durable.askByMail(run as Loose, mailbox, options), question],
  ['sendQuestion()', ({ mailbox }, options) => durable.sendQuestion(mailbox, { id: 'q' }, options), question],
  ['resumeByMail()', ({ mailbox }, options) => dbos.resumeByMail(dbosLike, mailbox, options)],
  ['resumeByMail()', ({ mailbox }, options) => durable.resumeByMail(mailbox, wake, options)],
  ['onMail()', ({ mailbox }, options) => events.onMail(mailbox, wake, options)],
  ['onMailCallback()', ({ mailbox }, options) => events.onMailCallback(mailbox, wake, options)],
  ['mailEmitter()', ({ mailbox }, options) => events.mailEmitter(mailbox, options)],
  ['mailObservable()', ({ mailbox }, options) => events.mailObservable(mailbox, options)],
  ['mailStream()', ({ mailbox }, options) => events.mailStream(mailbox, options)],
  ['mailReadable()', ({ mailbox }, options) => events.mailReadable(mailbox, options)],
  ['handle()', (_, options) => events.handle(wake, options)],
]

const graph: Loose = { getState: async () => ({ next: [], tasks: [] }) }
const createTools = (adapter: Loose, { mailbox }: Place, options: Loose) =>
  adapter.createMailboxTools(mailbox, options)

/** A call of an adapter that is there only where its framework is. */
type FrameworkRow = [
  framework: Framework,
  name: string,
  call: (adapter: Loose, place: Place, options: Loose) => unknown,
  needed?: Row[2],
]

const adapterOf: Partial<Record<Framework, () => Promise<unknown>>> = {
  Restate: () => import('restante/restate'),
  'OpenAI Agents SDK': () => import('restante/openai-agents'),
  Mastra: () => import('restante/mastra'),
  'LangChain 1.x': async () => ({
    ...(await import('restante/langchain')),
    ...(await import('restante/langchain-middleware')),
  }),
  'LangGraph 1.x': () => import('restante/langgraph'),
  'Google ADK 2': () => import('restante/google-adk'),
  'Claude Agent SDK': () => import('restante/claude-agent'),
  'Strands Agents': () => import('restante/strands'),
  Genkit: () => import('restante/genkit'),
  VoltAgent: () => loadVoltAgent().then(() => import('restante/voltagent')),
}

const frameworkRows: FrameworkRow[] = [
  ['Restate', 'askByMail()', (it, { mailbox }, options) => it.askByMail(context, mailbox, options), question],
  ['Restate', 'resumeByMail()', (it, { mailbox }, options) => it.resumeByMail(mailbox, options)],
  ['OpenAI Agents SDK', 'createMailboxTools()', createTools],
  ['Mastra', 'createMailboxTools()', createTools],
  ['Google ADK 2', 'createMailboxTools()', createTools],
  ['Google ADK 2', 'replyTo()', (it, { mailbox }, options) => it.replyTo(mailbox, {}, null, options)],
  [
    'Claude Agent SDK',
    'createMailboxServer()',
    (it, { mailbox }, options) => it.createMailboxServer(mailbox, options),
  ],
  ['Strands Agents', 'createMailboxTools()', createTools],
  ['Genkit', 'createMailboxTools()', createTools],
  ['VoltAgent', 'createMailboxTools()', createTools],
  ['LangChain 1.x', 'createMailboxTools()', createTools],
  ['LangChain 1.x', 'agentInbox()', (it, _, options) => it.agentInbox(options), inMailbox],
  ['LangChain 1.x', 'MailboxToolkit', (it, { mailbox }, options) => new it.MailboxToolkit(mailbox, options)],
  [
    'LangChain 1.x',
    'mailboxMiddleware()',
    (it, { mailbox }, options) => it.mailboxMiddleware(mailbox, options),
  ],
  ['LangChain 1.x', 'MailLoader', (it, _, options) => new it.MailLoader(options), inMailbox],
  ['LangChain 1.x', 'MailRetriever', (it, _, options) => new it.MailRetriever(options), inMailbox],
  [
    'LangChain 1.x',
    'filter of MailRetriever',
    (it, { mailbox }, filter) => new it.MailRetriever({ mailbox, filter }),
  ],
  [
    'LangGraph 1.x',
    'awaitReply()',
    (it, { mailbox, message }, options) => it.awaitReply(mailbox, message, options),
  ],
  ['LangGraph 1.x', 'createAskTool()', (it, { mailbox }, options) => it.createAskTool(mailbox, options)],
  [
    'LangGraph 1.x',
    'resumeOnReply()',
    (it, { mailbox }, options) => it.resumeOnReply(mailbox, graph, {}, options),
  ],
]

const otherRows: Row[] = [
  ['createWorld()', (_, options) => createWorld(options)],
  ['world.open()', ({ world }, options) => world.open(options)],
  ['world.webhook()', ({ world }, options) => world.webhook(options)],
  ['advance()', ({ world }, options) => world.advance(options)],
  ['sleep()', ({ world }, options) => world.sleep(options)],
  ...['drop', 'delay', 'duplicate', 'reorder'].map(
    (fault): Row => [
      `${fault}()`,
      ({ world }, options) => {
        world.faults[fault]('webhooks', options)
        world.faults.clear()
      },
    ],
  ),
  [
    'write()',
    ({ world, mailbox }, options) =>
      world.person('bo@example.com').write({ to: mailbox.address, ...options }),
  ],
  ['reply()', ({ world }, options) => world.person('cy@example.com').reply(options)],
  ['received()', ({ world }, options) => world.person('ana@example.com').received(options)],
  [
    'signWebhook()',
    ({ secret }, options) => signWebhook([secret], options),
    () => ({ id: 'e', timestampMs: 1, body: '' }),
  ],
  [
    'verifyWebhook()',
    (_, options) => verifyWebhook(options),
    ({ secret }) => ({ secret, headers: {}, body: '' }),
  ],
  ['ports of createService()', (_, ports) => createService({ log: 'silent' }, ports)],
  ['keys.create()', ({ world }, key) => world.host.keys.create(key)],
  ['keys.list()', ({ world }, page) => world.host.keys.list(page)],
  ['keys.revoke()', ({ world }, key) => world.host.keys.revoke(key)],
  ['approvals.list()', ({ world }, page) => world.host.approvals.list(page)],
  ['approvals.reject()', ({ world }, decision) => world.host.approvals.reject(decision)],
]

/** These end what others use. */
const lastRows: Row[] = [
  ['inboxes.create()', ({ mailbox }, options) => mailbox.inboxes.create(options)],
  ['delete()', ({ message }, options) => message.delete(options)],
  ['delete()', ({ thread }, options) => thread.delete(options)],
]

const failureOf = async (call: () => unknown): Promise<Loose> => {
  try {
    const made: Loose = await endOf(call())
    await (made?.stop ?? made?.close ?? made?.return ?? made?.[Symbol.asyncDispose])?.call(made)
    return null
  } catch (error) {
    return error
  }
}
/** A wait goes on until it is cancelled. */
const endOf = (made: Loose): unknown => {
  made?.cancel?.()
  return typeof made === 'function' && made.length === 0 ? made() : made
}

const rows = [...mailboxRows, ...toolRows, ...otherRows, ...lastRows]

/** Tries each option misspelt, and then each that there is as `undefined`. */
async function tryAll(...[name, call, needed = () => ({})]: Row): Promise<void> {
  const tried = (options: object) => failureOf(() => call(place, { ...needed(place), ...options }))
  const refused = await tried({ qqqqqqqq: 1 })
  expect(refused).toMatchObject({ code: 'invalid_options', name: 'UsageError' })
  const [, takes, list] = /^(.+) takes \{ (.+) \}, not qqqqqqqq$/.exec(refused.message) ?? []
  expect(takes).toBe(name)
  const known = list!.split(', ')
  for (const one of known)
    expect(await tried({ [`${one}x`]: 1 })).toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(`^${name.replace(/[()]/g, '\\$&')} takes .* not ${one}x: say \\w+$`),
    })
  const absent = Object.fromEntries(['qqqqqqqq', ...known].map((option) => [option, undefined]))
  const failure = await failureOf(() => call(place, { ...absent, ...needed(place) }))
  expect(failure?.code === 'invalid_options' ? failure.message : '').not.toMatch(/ takes /)
}

const title = '%s refuses options that there are not, and takes undefined for each that there is'
test.each(rows)(title, tryAll)

for (const [framework, name, call, needed] of frameworkRows) {
  const reason = obstacle(factsOf(framework))
  test.skipIf(reason)(`${framework}: ${title.replace('%s', name)}`, async () => {
    const adapter = await adapterOf[framework]!()
    await tryAll(name, (...given) => call(adapter, ...given), needed)
  })
}

/** Those that take records, or that others call with options of theirs. */
const others = new Set([
  ...['isSenderProven', 'tokenOf', 'waitsIn', 'generate', 'handleWebhook', 'fetchMessages', 'listThreads'],
  ...['scheduleMessage', 'iterator', 'recv', 'socket'],
])

test('every function of the package that takes options is tried', () => {
  const report = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
  const found = [...report.matchAll(/^\s*(?:function |static )?(\w+)(?:<.*?>)?\(.*\boptions\??: .*\)/gm)]
  const names = [...rows.map(([name]) => name), ...frameworkRows.map(([, name]) => name)]
  const tried = new Set(['account', 'serveMcp', ...names.map((name) => /(\w+)(?:\(\))?$/.exec(name)![1]!)])
  const missing = found.map(([, name]) => name!).filter((name) => !tried.has(name) && !others.has(name))
  expect([...new Set(missing)].sort()).toEqual([])
})

test('createService names the setting that was meant, and all', async () => {
  const failed = (options: Loose) => failureOf(() => createService(options))
  const refusal = (words: string) => ({ code: 'invalid_settings', message: expect.stringContaining(words) })
  expect(await failed({ dta: './mail' })).toMatchObject(
    refusal('there is no setting dta: say data; the settings are http, smtp,'),
  )
  expect(await failed({ bananas: 1 })).toMatchObject(refusal('there is no setting bananas; the settings are'))
  expect(await failed({ bananas: undefined, data: undefined, log: 'silent' })).toBeNull()
})

test('serveMcp refuses options that there are not before it serves', async () => {
  const refusal = { code: 'invalid_options', message: expect.stringContaining('not readonly: say readOnly') }
  expect(await failureOf(() => serveMcp(place.mailbox, { readonly: true } as Loose))).toMatchObject(refusal)
})

test.each<[string, (place: Place) => unknown, string]>([
  ["on('mail')", ({ mailbox }) => mailbox.on('mail', wake), 'say message'],
  ["on('eror')", ({ mailbox }) => mailbox.on('eror', wake), 'say error'],
  ["off('stat')", ({ mailbox }) => mailbox.off('stat', wake), 'say state'],
  ["on('message', 'x')", ({ mailbox }) => mailbox.on('message', 'x'), 'on() takes a function'],
  ["expect({ kind: 'otp' })", ({ mailbox }) => mailbox.expect({ kind: 'otp' }), 'say code'],
  ["source: 'webhok'", ({ world }) => world.open({ source: 'webhok' }), 'say webhook'],
  [
    "incoming({ acknowledge: 'manul' })",
    ({ mailbox }) => mailbox.incoming({ ...named(), acknowledge: 'manul' }),
    'say manual',
  ],
  ["run({ from: 'strt' })", ({ mailbox }) => mailbox.run(wake, { ...named(), from: 'strt' }), 'say start'],
  ["faults.drop('answrs')", ({ world }) => world.faults.drop('answrs'), 'say answers'],
  ["text: 'plan'", ({ mailbox }) => createMailboxAdapter(mailbox, { text: 'plan' } as Loose), 'say plain'],
  [
    "answer: 'every'",
    ({ mailbox }) => createMailboxAdapter(mailbox, { answer: 'every' } as Loose),
    'all, sender',
  ],
  ["flow: 'refus'", ({ mailbox }) => createToolbox(mailbox, { flow: 'refus' } as Loose), 'say refuse'],
  ["only: 'reply'", ({ mailbox }) => createToolbox(mailbox, { only: 'reply' } as Loose), 'only takes a list'],
  ["only: ['replay']", ({ mailbox }) => createToolbox(mailbox, { only: ['replay'] } as Loose), 'say reply'],
  [
    "recipients: 'a.example'",
    ({ mailbox }) => createToolbox(mailbox, { recipients: 'a.example' } as Loose),
    'recipients takes a list',
  ],
  [
    "public.labels: 'news'",
    ({ mailbox }) => createToolbox(mailbox, { public: { labels: 'news' } } as Loose),
    'public.labels takes a list',
  ],
  [
    "message: 'm1-abc'",
    ({ mailbox }) => createToolbox(mailbox, { message: 'm1-abc' } as Loose),
    'message takes a message',
  ],
  [
    "hosts: 'a.example'",
    ({ mailbox }) => createMcpHandler(mailbox, { hosts: 'a.example' } as Loose),
    'hosts takes a list',
  ],
  ['token: 1', ({ mailbox }) => createMcpHandler(mailbox, { token: 1 } as Loose), 'takes a string as token'],
])('%s is refused', async (_what, call, words) => {
  expect(await failureOf(() => call(place))).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(words),
  })
})

test('approved has to be true: another value asks as none does', async () => {
  const { tools } = createToolbox(place.mailbox, { approve: 'send', attended: true })
  const call = { to: ['ana@example.com'], subject: 's', text: 't' }
  expect(await tools.send_mail!.call(call, { approved: 'no' as Loose })).not.toMatchObject({ status: 'sent' })
})
