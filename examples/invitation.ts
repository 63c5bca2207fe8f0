// An agent that keeps a calendar: it accepts an invitation if the time is free, and else proposes another.
import { createWorld } from 'restante/testing'

const hourMs = 3_600_000
const busy = [{ start: new Date('2030-01-31T12:00:00Z'), end: new Date('2030-01-31T13:00:00Z') }]
const isBusy = (start: Date, end: Date) => busy.some((one) => start < one.end && one.start < end)

await using world = await createWorld()
const mailbox = await world.open()
const ana = world.person('Ana <ana@example.com>')

const run = mailbox.run(
  async ({ invitation }) => {
    // Only the organizer may ask for a place in the calendar.
    if (invitation?.method !== 'REQUEST' || !invitation.organizer_proven) return
    const [start, end] = [new Date(invitation.start), new Date(invitation.end)]
    if (!isBusy(start, end)) {
      await invitation.accept({ comment: 'I will be there.' })
      busy.push({ start, end })
      return
    }
    const later = (time: Date) => new Date(time.getTime() + 2 * hourMs)
    await invitation.propose({ start: later(start), end: later(end), comment: 'I have something else then.' })
  },
  { consumer: 'calendar' },
)

for (const hour of ['12', '15']) {
  const times = `DTSTAMP:20300101T000000Z\r\nDTSTART:20300131T${hour}0000Z\r\nDTEND:20300131T${hour}3000Z`
  const event = `BEGIN:VEVENT\r\nUID:${hour}@example.com\r\nSUMMARY:Lunch at ${hour}\r\nORGANIZER:mailto:ana@example.com\r\n${times}\r\nEND:VEVENT`
  const content = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n${event}\r\nEND:VCALENDAR\r\n`
  const file = { filename: 'invite.ics', content, contentType: 'text/calendar' }
  await ana.write({ to: mailbox.address, subject: 'Lunch?', text: 'Shall we?', attachments: [file] })
  const { subject, text, attachments } = await ana.received()
  const answer = new TextDecoder().decode(attachments[0]?.content)
  console.log(
    `${subject}: ${text.trim()} (${/METHOD:\w+/.exec(answer)?.[0]}, ${/DTSTART:\w+/.exec(answer)?.[0]})`,
  )
}
await run.stop()
