// An agent that keeps a calendar: it reads the invitation that is attached, and answers as calendars do (RFC 5546).
import { createWorld } from 'restante/testing'

// In place of a model: (await generateText({ model: openai('gpt-5'), prompt })).text
const model = async (prompt: string) =>
  prompt.startsWith('ACCEPTED') ? 'I will be there.' : 'I have something else then. Another hour?'

const busy = new Set(['20300131T120000Z'])
const field = (event: string, name: string) =>
  new RegExp(`^${name}[^:\r\n]*:(.*?)\r?$`, 'm').exec(event)?.[1] ?? ''

/** The answer of a calendar to an invitation. */
const reply = (event: string, attendee: string, status: 'ACCEPTED' | 'DECLINED') =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//agent//EN', 'METHOD:REPLY', 'BEGIN:VEVENT'],
    `UID:${field(event, 'UID')}`,
    `ORGANIZER:${field(event, 'ORGANIZER')}`,
    `ATTENDEE;PARTSTAT=${status}:mailto:${attendee}`,
    `DTSTAMP:${field(event, 'DTSTAMP')}`,
    `DTSTART:${field(event, 'DTSTART')}`,
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

await using world = await createWorld()
const mailbox = await world.open()
const ana = world.person('Ana <ana@example.com>')

const run = mailbox.run(
  async (message) => {
    const invitation = message.attachments.find(({ contentType }) => contentType === 'text/calendar')
    if (!invitation) return
    const event = await invitation.text()
    const status = busy.has(field(event, 'DTSTART')) ? 'DECLINED' : 'ACCEPTED'
    const content = reply(event, mailbox.address, status)
    await message.reply({
      text: await model(`${status}: say so to\n${await message.toPrompt()}`),
      attachments: [{ filename: 'reply.ics', content, contentType: 'text/calendar' }],
    })
  },
  { consumer: 'calendar' },
)

for (const hour of ['12', '15']) {
  const times = `DTSTAMP:20300101T000000Z\r\nDTSTART:20300131T${hour}0000Z\r\nDTEND:20300131T${hour}3000Z`
  const event = `BEGIN:VEVENT\r\nUID:${hour}@example.com\r\nORGANIZER:mailto:ana@example.com\r\n${times}\r\nEND:VEVENT`
  const content = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n${event}\r\nEND:VCALENDAR\r\n`
  const file = { filename: 'invite.ics', content, contentType: 'text/calendar' }
  await ana.write({
    to: mailbox.address,
    subject: `Lunch at ${hour}?`,
    text: 'Shall we?',
    attachments: [file],
  })
  const { subject, replyText, attachments } = await ana.received()
  const answer = new TextDecoder().decode(attachments[0]?.content)
  console.log(`${subject} ${replyText} (${/PARTSTAT=\w+/.exec(answer)?.[0]})`)
}
await run.stop()
