import { describe, expect, it } from 'vitest'
import { error } from '../types'
import type { World } from '../world'

const mebibyte = 1024 * 1024

/** A mail of exactly that many bytes. */
function mailOf(bytes: number): string {
  const head = `From: ana@example.com\r\nSubject: ${Math.random()}\r\n\r\n`
  const body = `${'x'.repeat(998)}\r\n`.repeat(Math.ceil(bytes / 1_000))
  return `${head}${body}`
    .slice(0, bytes - 2)
    .replace(/[\r\n]$/, 'x')
    .concat('\r\n')
}

export const limits = (world: World) =>
  describe('8 limits', () => {
    it('inboxes while unclaimed: 1', async () => {
      const { key } = await world.newAgent()
      expect((await world.get('/inboxes', key)).body.inboxes).toHaveLength(1)
      expect(await world.post('/inboxes', {}, key)).toMatchObject(error(403, 'claim_required'))
    })

    it('unclaimed inbound messages: the 50th is taken, the 51st is not', async () => {
      const { key, body } = await world.newAgent()
      const to = body.inbox.address
      for (let i = 1; i <= 49; i++) await world.mail({ to, subject: `mail ${i}` })
      await world.mail({ to, subject: 'the 50th' })
      await expect(world.mail({ to, subject: 'the 51st' })).rejects.toThrow(/452 4\.2\.2/)
      expect((await world.get('/account', key)).body.usage.received_messages).toBe(50)
      expect((await world.get('/messages', key)).body.messages[0].subject).toBe('the 50th')
    })

    it('unclaimed inbound bytes: the last of 10485760 is taken, one more is not', async () => {
      const { key, body } = await world.newAgent()
      const send = (bytes: number) =>
        world.mail({ raw: mailOf(bytes), envelope: { from: 'ana@example.com', to: body.inbox.address } })
      const used = async () => (await world.get('/account', key)).body.usage.received_bytes
      await send(6 * mebibyte)
      expect(await used()).toBe(6 * mebibyte)
      await expect(send(4 * mebibyte + 1)).rejects.toThrow(/452 4\.2\.2/)
      expect(await used()).toBe(6 * mebibyte)
      await send(4 * mebibyte)
      expect(await used()).toBe(10_485_760)
      await expect(send(100)).rejects.toThrow(/452 4\.2\.2/)
      expect((await world.get('/messages', key)).body.messages).toHaveLength(2)
    })
  })
