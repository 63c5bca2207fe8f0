import { setTimeout } from 'node:timers/promises'
import { Mailbox } from 'restante'
import { handle, mailObservable } from 'restante/events'
import { filter, from, tap } from 'rxjs'

// A service runs elsewhere: `npx restante dev`. Kill this program at any time, and start it again: each mail has one answer.
const mailbox = await Mailbox.open({
  url: process.env.RESTANTE_URL ?? 'http://127.0.0.1:4525',
  apiKey: process.env.RESTANTE_API_KEY ?? '',
})

/** Your model. */
const answer = async (text: string) => {
  await setTimeout(1_000)
  return `You wrote: ${text}`
}

from(mailObservable(mailbox, { consumer: 'desk', maxInFlight: 4 }))
  .pipe(
    // Newsletters and notices: acknowledged, and not answered.
    tap((message) => message.automatic && message.ack()),
    filter((message) => !message.automatic),
    tap(({ subject }) => console.log(`got ${subject}`)),
    handle(async (message) => {
      await message.reply({ text: await answer(message.text) })
      return message.subject
    }),
  )
  .subscribe((subject) => console.log(`answered ${subject}`))
