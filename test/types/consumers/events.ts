import type { Mailbox, Message } from 'restante'
import {
  mailEmitter,
  mailObservable,
  mailReadable,
  mailStream,
  onMail,
  onMailCallback,
} from 'restante/events'
import { from, map, type Observable } from 'rxjs'

export const subjects = (mailbox: Mailbox): Observable<string> =>
  from(mailObservable(mailbox)).pipe(map((message) => message.subject))

export async function views(mailbox: Mailbox): Promise<void> {
  const emitter = mailEmitter(mailbox, { consumer: 'desk' })
  emitter.on('message', async (message) => message.reply({ text: message.text }))
  // @ts-expect-error There is no such event.
  emitter.on('mail', () => {})
  const stream: ReadableStream<Message> = mailStream(mailbox)
  await stream.cancel()
  mailReadable(mailbox).destroy()
  await onMailCallback(mailbox, (error, message) => error ?? message?.subject)()
  await onMail(mailbox, async ({ subject }) => subject, { consumer: 'desk', onError: console.error })()
  // @ts-expect-error Node's shape is that of onMailCallback.
  onMail(mailbox, (error, message) => error ?? message)
}
