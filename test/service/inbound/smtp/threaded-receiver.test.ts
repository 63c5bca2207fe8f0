import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refuse } from '../../../../src/service/base/refuse'
import type { SmtpHandler } from '../../../../src/service/inbound/smtp/receiver'
import { createThreadedReceiver } from '../../../../src/service/inbound/smtp/threaded-receiver'
import { openDialog } from '../../../support/smtp-dialog'

const open: SmtpHandler = { admit: async () => {}, accept: async () => ({ queueId: 'msg_1' }) }

async function start(handler: Partial<SmtpHandler>, port = 0) {
  const complaints: string[] = []
  const complain = (facts: object, message: string) => complaints.push(`${message}: ${JSON.stringify(facts)}`)
  const logger = { debug() {}, info() {}, warn: complain, error: complain }
  const receiver = createThreadedReceiver({
    host: '127.0.0.1',
    port,
    hostname: 'mx.test',
    logger,
    handler: { ...open, ...handler },
  })
  onTestFinished(() => receiver.close())
  const address = await receiver.listen()
  const session = async () => {
    const dialog = openDialog(address.port)
    await dialog.expect(220)
    await dialog.say('EHLO client.test', 250)
    return dialog
  }
  return { receiver, complaints, session, port: address.port }
}

test('a mail crosses byte for byte, with its envelope', async () => {
  const taken: unknown[] = []
  const { session } = await start({
    accept: async (envelope, raw) => {
      taken.push(envelope.recipients, Buffer.from(raw).toString('latin1'))
      return { queueId: 'msg_7' }
    },
  })
  const reply = await (await session()).mail(Buffer.from('Subject: x\r\n\r\n\xff', 'latin1'), ['box@mx.test'])
  expect(reply.lines).toEqual(['2.0.0 Accepted as msg_7'])
  expect(taken).toEqual([['box@mx.test'], 'Subject: x\r\n\r\n\xff\r\n'])
})

test('a refusal keeps its code, and what broke is logged and put off', async () => {
  const { session, complaints } = await start({
    admit: async (recipient) => {
      if (recipient.startsWith('none')) throw refuse('mailbox_unavailable', 'nobody')
    },
    accept: async () => {
      throw new Error('the disk is full')
    },
  })
  const dialog = await session()
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  expect((await dialog.say('RCPT TO:<none@mx.test>', 550)).text).toContain('5.1.1')
  await dialog.say('RCPT TO:<box@mx.test>', 250)
  await dialog.say('DATA', 354)
  dialog.write('x\r\n.\r\n')
  expect((await dialog.expect(451)).text).toContain('4.3.0')
  await expect.poll(() => complaints.join()).toContain('the disk is full')
})

test('closing lets the mail in flight be answered', async () => {
  let answer = () => {}
  const asked = new Promise<void>((resolveAsked) => {
    answer = resolveAsked
  })
  let finish: (taken: { queueId: string }) => void = () => {}
  const { receiver, session } = await start({
    accept: () => {
      answer()
      return new Promise((resolve) => {
        finish = resolve
      })
    },
  })
  const dialog = await session()
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  await dialog.say('RCPT TO:<box@mx.test>', 250)
  await dialog.say('DATA', 354)
  dialog.write('x\r\n.\r\n')
  await asked
  const closed = receiver.close()
  finish({ queueId: 'msg_9' })
  expect((await dialog.expect(250)).text).toContain('msg_9')
  await closed
})

test('a port in use is told as such', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(start({}, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('closing what never listened ends at once', async () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const options = { host: '127.0.0.1', port: 0, hostname: 'mx.test', logger, handler: open }
  await createThreadedReceiver(options).close()
})

test('a recipient that anybody may write to is asked for once, until it is refused or forgotten', async () => {
  const asked: string[] = []
  let full = false
  const { receiver, session } = await start({
    async admit(recipient) {
      asked.push(recipient)
      return recipient.startsWith('open')
    },
    async accept() {
      if (full) throw refuse('quota_exceeded', 'full')
      return { queueId: 'msg_1' }
    },
  })
  const dialog = await session()
  const send = (recipient: string) => dialog.mail(Buffer.from('x\r\n'), [recipient])
  for (const recipient of ['open@mx.test', 'open@mx.test', 'some@mx.test', 'some@mx.test'])
    expect((await send(recipient)).code).toBe(250)
  expect(asked).toEqual(['open@mx.test', 'some@mx.test', 'some@mx.test'])
  receiver.forget()
  await send('open@mx.test')
  full = true
  expect((await send('open@mx.test')).code).toBe(452)
  expect(asked).toHaveLength(4)
  await send('open@mx.test')
  expect(asked).toHaveLength(5)
})
