import { expect, test } from 'vitest'
import { refuse } from '../../../../src/service/base/refuse'
import type { SmtpLimit, SmtpRates } from '../../../../src/service/inbound/smtp/limiter'
import type { SmtpHandler } from '../../../../src/service/inbound/smtp/receiver'
import { JumpClock } from '../../../support/jump-clock'
import { openDialog, openSession, type SmtpDialog } from '../../../support/smtp-dialog'
import { startReceiver } from './start-receiver'

const minuteMs = 60_000
const generous: SmtpRates = {
  connectionsPerAddress: 100,
  connectionsPerMinute: 100,
  mailsPerMinute: 100,
  errorsPerMinute: 100,
  exempt: '',
}
const knowsBox: Partial<SmtpHandler> = {
  admit: async (recipient) => {
    if (!recipient.startsWith('box@')) throw refuse('mailbox_unavailable', 'nobody')
  },
}

async function start(rates: Partial<SmtpRates>, options: Parameters<typeof startReceiver>[0] = {}) {
  const clock = new JumpClock()
  const limited: SmtpLimit[] = []
  const receiver = await startReceiver({
    rates: { ...generous, ...rates },
    clock,
    onLimited: (limit) => limited.push(limit),
    ...options,
  })
  return { ...receiver, clock, limited }
}

/** Opens a connection as the proxy that tells who the client is, and reads the greeting. */
async function greetedAs(port: number, client: string): Promise<SmtpDialog> {
  const dialog = openDialog(port)
  dialog.write(`PROXY TCP${client.includes(':') ? 6 : 4} ${client} 192.0.2.1 40000 25\r\n`)
  return dialog
}

const isOpen = async (dialog: SmtpDialog) => (await dialog.reply()).code === 220

test('connections from one address are bounded while they are open', async () => {
  const { port, limited } = await start({ connectionsPerAddress: 2 })
  const first = await openSession(port)
  await openSession(port)
  const third = openDialog(port)
  expect((await third.expect(421)).text).toMatch(/^4\.7\.0 .*close some/)
  await third.closed
  await first.say('QUIT', 221)
  await first.closed
  await openSession(port)
  expect(limited).toEqual(['open'])
})

test('new connections from one address are bounded by the minute, and come back evenly', async () => {
  const { port, clock, limited } = await start({ connectionsPerMinute: 3 })
  for (let i = 0; i < 3; i += 1) expect(await isOpen(openDialog(port))).toBe(true)
  expect((await openDialog(port).expect(421)).text).toMatch(/^4\.7\.0 .*try again in a minute/)
  clock.jump(minuteMs / 3)
  expect(await isOpen(openDialog(port))).toBe(true)
  expect(await isOpen(openDialog(port))).toBe(false)
  expect(limited).toEqual(['connections', 'connections'])
})

test('mails of one address are put off above their rate, and what had its 250 is kept', async () => {
  const { port, mails, clock } = await start({ mailsPerMinute: 2 })
  const dialog = await openSession(port)
  for (let i = 0; i < 2; i += 1) expect((await dialog.mail('text')).code).toBe(250)
  expect((await dialog.say('MAIL FROM:<a@b.test>', 451)).text).toMatch(/^4\.7\.1 /)
  clock.jump(minuteMs)
  expect((await dialog.mail('text')).code).toBe(250)
  expect(mails).toHaveLength(3)
})

test('a client that guesses addresses waits longer and longer, then ends, also on new connections', async () => {
  const { port, clock, limited } = await start({ errorsPerMinute: 8 }, { handler: knowsBox })
  const dialog = await openSession(port)
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  for (let i = 0; i < 2; i += 1) await dialog.say(`RCPT TO:<guess${i}@mx.test>`, 550)
  // From the third on, the command after an error is answered only when the wait is over.
  await dialog.say('RCPT TO:<guess2@mx.test>', 550)
  let answered = false
  const next = dialog.say('RCPT TO:<box@mx.test>', 250).then(() => {
    answered = true
  })
  await openSession(port) // by now the server has seen the command
  expect(answered).toBe(false)
  clock.jump(200)
  await next
  const other = await openSession(port)
  await other.say('MAIL FROM:<a@b.test>', 250)
  const flood = Array.from({ length: 20 }, (_, i) => `RCPT TO:<guess${i}@mx.test>\r\n`).join('')
  let ended = false
  void other.closed.then(() => {
    ended = true
  })
  other.write(flood)
  const jumps = async (): Promise<void> => {
    if (ended) return
    await new Promise((resolve) => setImmediate(resolve))
    clock.jump(50)
    return jumps()
  }
  await jumps()
  expect(await other.closed).toMatch(/421 4\.7\.0 Too many errors from your address\r\n$/)
  expect((await openDialog(port).expect(421)).text).toMatch(/^4\.7\.0 .*too many errors/)
  expect(new Set(limited)).toEqual(new Set(['errors']))
  clock.jump(minuteMs)
  await openSession(port)
})

test('senseless commands count as errors, refusals that are no mistake of the sender do not', async () => {
  const { port } = await start(
    { errorsPerMinute: 1 },
    { handler: { admit: () => Promise.reject(refuse('quota_exceeded', 'full')) } },
  )
  const dialog = await openSession(port)
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  for (let i = 0; i < 5; i += 1) await dialog.say('RCPT TO:<box@mx.test>', 452)
  await dialog.say('FROB', 500)
  expect((await dialog.say('FROB', 421)).text).toMatch(/^4\.7\.0 /)
  await dialog.closed
})

test('an IPv6 client is its /64, an IPv4 client its address, told by a proxy that is trusted', async () => {
  const { port } = await start({ connectionsPerMinute: 1 }, { proxies: ['127.0.0.1'] })
  expect(await isOpen(await greetedAs(port, '2001:db8:1:2::1'))).toBe(true)
  expect(await isOpen(await greetedAs(port, '2001:db8:1:2:ffff::9'))).toBe(false)
  expect(await isOpen(await greetedAs(port, '2001:db8:1:3::1'))).toBe(true)
  expect(await isOpen(await greetedAs(port, '192.0.2.7'))).toBe(true)
  expect(await isOpen(await greetedAs(port, '192.0.2.8'))).toBe(true)
  expect(await isOpen(await greetedAs(port, '192.0.2.7'))).toBe(false)
})

test('the PROXY line of anybody else is a senseless command', async () => {
  const { port } = await start({}, { proxies: ['192.0.2.1'] })
  const dialog = await greetedAs(port, '198.51.100.1')
  expect((await dialog.reply()).code).toBe(220)
  expect((await dialog.reply()).code).toBe(500)
})

test('an exempt address is not limited at SMTP', async () => {
  const { port, limited } = await start(
    { connectionsPerMinute: 1, mailsPerMinute: 1, errorsPerMinute: 1, exempt: '127.0.0.0/8' },
    { handler: knowsBox },
  )
  for (let i = 0; i < 3; i += 1) {
    const dialog = await openSession(port)
    expect((await dialog.mail('text')).code).toBe(250)
    await dialog.say('FROB', 500)
  }
  expect(limited).toEqual([])
})
