import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createSmtpReceiver } from '../../../../src/service/inbound/smtp/receiver'
import { openDialog, openSession } from '../../../support/smtp-dialog'
import { startReceiver, text } from './start-receiver'

const logger = { debug() {}, info() {}, warn() {}, error() {} }
const handler = { admit: async () => {}, accept: async () => ({ queueId: 'x' }) }

test('the SMTP receiver that is closed sends the idle away with 421, and takes nobody new', async () => {
  const { port, receiver } = await startReceiver()
  const fresh = openDialog(port)
  await fresh.expect(220)
  const inTransaction = await openSession(port)
  await inTransaction.say('MAIL FROM:<a@b.test>', 250)
  const closed = receiver.close()
  for (const dialog of [fresh, inTransaction]) {
    expect((await dialog.expect(421)).text).toMatch(/^4\.3\.2 /)
    await dialog.closed
    dialog.destroy()
  }
  await closed
  const late = openDialog(port)
  await expect(late.reply()).rejects.toThrow('ended before a reply')
})

test('closing the SMTP receiver lets mail in flight finish, in DATA and at the handler', async () => {
  let proceed = () => {}
  const proceeding = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const { port, receiver, mails } = await startReceiver({
    handler: {
      async accept(envelope, raw) {
        await proceeding
        mails.push({ envelope, raw })
        return { queueId: `msg_${mails.length}` }
      },
    },
  })
  const sending = await openSession(port)
  const waiting = await openSession(port)
  for (const dialog of [sending, waiting]) {
    await dialog.say('MAIL FROM:<a@b.test>', 250)
    await dialog.say('RCPT TO:<box@mx.test>', 250)
    await dialog.say('DATA', 354)
    dialog.write('first\r\n')
  }
  waiting.write('.\r\n')
  const closed = receiver.close()
  sending.write('second\r\n.\r\n')
  proceed()
  for (const dialog of [waiting, sending]) {
    expect((await dialog.expect(250)).text).toMatch(/^2\.0\.0 Accepted as msg_\d$/)
    expect((await dialog.expect(421)).text).toMatch(/^4\.3\.2 /)
    await dialog.closed
    dialog.destroy()
  }
  await closed
  expect(mails.map(({ raw }) => text(raw)).sort()).toEqual(['first\r\n', 'first\r\nsecond\r\n'])
})

test('closing the SMTP receiver does not wait for ever for mail that does not end', async () => {
  const { port, receiver, mails } = await startReceiver({ closeTimeoutMs: 20 })
  const dialog = await openSession(port)
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  await dialog.say('RCPT TO:<box@mx.test>', 250)
  await dialog.say('DATA', 354)
  const closed = receiver.close()
  expect((await dialog.expect(421)).text).toMatch(/^4\.3\.2 /)
  dialog.end()
  await closed
  expect(mails).toEqual([])
})

test('closing the SMTP receiver ends a client that does not end its connection itself', async () => {
  const { port, receiver } = await startReceiver()
  const dialog = await openSession(port)
  dialog.socket.pause()
  await receiver.close()
})

test('the SMTP receiver can be closed twice, and before listen', async () => {
  const receiver = createSmtpReceiver({ host: '127.0.0.1', port: 0, hostname: 'mx.test', logger, handler })
  await receiver.close()
  const { receiver: other } = await startReceiver()
  await Promise.all([other.close(), other.close()])
})

test('the SMTP receiver rejects where the port is taken', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const receiver = createSmtpReceiver({ host: '127.0.0.1', port, hostname: 'mx.test', logger, handler })
  await expect(receiver.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await receiver.close()
  taken.close()
})
