/** What users of the types count on: each line says what a type is, or that something is no program. */
export const publicTypes = `
import {
  createClient, HandlerError, isServiceError, Mailbox, Message, RestanteError, ServiceError, Thread,
  type Draft, type DraftSent, type Event, type EventOf, type IncomingMessages, type Listing, type LiveQuery, type Page, type Run,
  type SentMessage, type ThreadSummary, type Wait,
} from 'restante'
import { routes } from 'restante/protocol'
import { createService, type Service, type ServiceOptions } from 'restante/service'
import { createWorld, type World } from 'restante/testing'
import { verifyWebhook } from 'restante/webhook'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<A>(): <B>(value: B) => Same<A, B> extends true ? void : { got: B; wanted: A }
declare const mailbox: Mailbox
declare const message: Message
declare const thread: Thread
declare const done: (...checks: void[]) => void

// opening
done(same<Promise<Mailbox>>()(Mailbox.open({ url: 'http://localhost', apiKey: 'key' })))
done(same<Promise<Mailbox>>()(Mailbox.open({ service: await createService() })))
done(same<Promise<Service>>()(createService({} satisfies ServiceOptions)))
// @ts-expect-error a url needs a key
Mailbox.open({ url: 'http://localhost' })
// @ts-expect-error there is no such source
Mailbox.open({ url: 'http://localhost', apiKey: 'key', source: 'pigeon' })
// @ts-expect-error it is opened, not made
new Mailbox()

// loops and runs
done(same<IncomingMessages>()(mailbox.incoming({ consumer: 'bot', from: new Date(), filter: ({ verified }) => verified })))
for await (const one of mailbox) done(same<Message>()(one))
done(same<Run>()(mailbox.run(async (one, { signal }) => done(same<Message>()(one), same<AbortSignal>()(signal)), { consumer: 'bot' })))
// @ts-expect-error a run has a consumer
mailbox.run(() => {}, {})
// @ts-expect-error no such option
mailbox.incoming({ consumers: 'bot' })
mailbox.on('state', ({ status, lag }) => done(same<number>()(lag), same<'connecting' | 'catching-up' | 'live' | 'stale' | 'closed'>()(status)))
mailbox.on('error', (error) => done(same<RestanteError>()(error)))
mailbox.on('event', (event) => done(same<Event>()(event)))
// @ts-expect-error no such event
mailbox.on('mail', () => {})

// answering
done(same<Promise<SentMessage>>()(message.reply({ text: 'Yes', onlyIfLatest: true, key: 'second' })))
done(same<Promise<SentMessage>>()(message.forward({ to: ['bo@example.com'] })))
done(same<Promise<Draft>>()(thread.draft({ html: '<p>Yes' })))
done(same<Promise<DraftSent>>()((await message.draft({})).send()))
const sent = await (await message.draft({})).send()
if (sent.status === 'sent') done(same<string>()(sent.messageId))
else done(same<Draft>()(sent.draft))
// @ts-expect-error a forward says to whom
message.forward({ text: 'Hi' })
// @ts-expect-error a mail says to whom
mailbox.send({ text: 'Hi' })
// @ts-expect-error a file has a content or a path, not both
message.reply({ attachments: [{ content: 'a', path: 'a.txt' }] })
// @ts-expect-error what was received does not change
message.subject = 'Another'

// waiting
done(same<Wait<Message>>()(mailbox.expect({ from: 'example.com', kind: 'code', within: message })))
done(same<Promise<string>>()(mailbox.expect({ kind: 'code' }).code()))
done(same<Message>()(await thread.nextReply({ timeoutMs: 1 })))
// @ts-expect-error no such kind
mailbox.expect({ kind: 'invoice' })

// reading
done(same<Listing<Page<ThreadSummary>>>()(mailbox.threads.list({ label: 'urgent' })))
for await (const page of await mailbox.threads.list()) done(same<readonly ThreadSummary[]>()(page.items))
done(same<LiveQuery<Message>>()(mailbox.messages.watch({ limit: 5 })))
done(same<Listing<Page<Message>>>()(mailbox.messages.list({ query: 'invoice', after: new Date() })))
done(same<number>()(await mailbox.consumer('bot').redrive([message])))
done(same<Message>()((await mailbox.consumer('bot').deadLetters()).items[0]!.message))

// errors and calls
declare const unknown: unknown
if (isServiceError(unknown, 'thread_moved')) done(same<ServiceError>()(unknown), same<number>()(unknown.status))
const handled: RestanteError = new HandlerError('handler_failed', 'text')
const client = createClient({ url: 'http://localhost', apiKey: 'key' })
done(same<string>()((await client.messages.get({ id: 'msg_1' })).body_text))
done(same<Uint8Array>()(await client.messages.raw({ id: 'msg_1' })))
done(same<string | null>()((await client.threads.list({})).next_cursor))
// @ts-expect-error an id is needed
client.messages.get({})
declare const received: EventOf<'message.received'>
done(same<string>()(received.data.subject))
done(same<'POST'>()(routes.messages.send.method))

// webhooks and the test kit
const POST: (request: Request) => Promise<Response> = mailbox.webhook({ secret: 'whsec_' })
done(same<Promise<Event>>()(verifyWebhook({ secret: 'whsec_', headers: new Headers(), body: '' })))
// @ts-expect-error a webhook has a secret
mailbox.webhook({})
const world: World = await createWorld({ startAt: new Date(), service: { keepEventsDays: 1 } })
done(same<Promise<Mailbox>>()(world.open()))
export { handled, POST }
`

/** The same with one thing wrong. */
export const wrongTypes = publicTypes.replace(
  'same<Promise<SentMessage>>()(message.reply(',
  'same<Promise<string>>()(message.reply(',
)
