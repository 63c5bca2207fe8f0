import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../support/service'
import { openSession } from '../../support/smtp-dialog'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Signs an agent up, and returns its address. */
async function unclaimed(name: string): Promise<{ address: string; key: string }> {
  const headers = { 'idempotency-key': name.padEnd(43, 'f') }
  const { body } = await service.call('POST', '/agent-signups', { key: null, headers, body: {} })
  return { address: body.inbox.address, key: body.api_key }
}
const subjectsOf = async (key?: string) => {
  const { body } = await service.call('GET', '/messages?limit=100', key === undefined ? {} : { key })
  return body.messages.map(({ subject }: { subject: string }) => subject)
}
const session = () => openSession(Number(service.smtp.split(':')[1]))

describe('an email to a full account and an open one', () => {
  it('is refused for the full one at RCPT, from the mail on that filled it, and goes to the other', async () => {
    const full = await unclaimed('count')
    const dialog = await session()
    for (let i = 0; i < 50; i += 1) {
      await dialog.say('MAIL FROM:<ana@example.com>', 250)
      await dialog.say(`RCPT TO:<${full.address}>`, 250)
      await dialog.say('DATA', 354)
      await dialog.say(`From: ana@example.com\r\nSubject: ${i}\r\n\r\nx\r\n.`, 250)
    }
    await dialog.say('MAIL FROM:<ana@example.com>', 250)
    expect((await dialog.say(`RCPT TO:<${full.address}>`, 452)).text).toMatch(/^4\.2\.2 /)
    await dialog.say(`RCPT TO:<${service.home.address}>`, 250)
    await dialog.say('DATA', 354)
    await dialog.say('From: ana@example.com\r\nSubject: to both\r\n\r\nx\r\n.', 250)
    expect(await subjectsOf()).toContain('to both')
    expect(await subjectsOf(full.key)).toHaveLength(50)
  })

  it('is refused for one that the declared size would fill', async () => {
    const { address } = await unclaimed('size')
    const dialog = await session()
    await dialog.say('MAIL FROM:<ana@example.com> SIZE=10485761', 250)
    expect((await dialog.say(`RCPT TO:<${address}>`, 452)).text).toMatch(/^4\.2\.2 /)
    await dialog.say(`RCPT TO:<${service.home.address}>`, 250)
    await dialog.say('RSET', 250)
    await dialog.say('MAIL FROM:<ana@example.com> SIZE=10485760', 250)
    await dialog.say(`RCPT TO:<${address}>`, 250)
  })
})
