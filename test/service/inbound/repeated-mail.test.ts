import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

const dayMs = 86_400_000
const encoder = new TextEncoder()

describeDatabases('the same mail twice', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }))
  const receive = (text: string, trace = 'from a', id = '<r1@example.com>') => {
    const head = ['From: ana@example.com', `Message-ID: ${id}`, 'Subject: Hi'].join('\r\n')
    const raw = encoder.encode(`Received: ${trace}\r\n by b\r\n${head}\r\n\r\n${text}\r\n`)
    return service.service.receive({ mailFrom: 'ana@example.com', recipients: [service.home.address] }, raw)
  }
  const count = async () => (await service.call('GET', '/messages?limit=100')).body.messages.length

  it('is accepted and kept once within a day, whatever way it came', async () => {
    await receive('one')
    await receive('one', 'from another')
    await Promise.all([receive('one'), receive('one', 'from a third')])
    expect(await count()).toBe(1)
    clock.jump(dayMs + 60_000)
    await receive('one')
    expect(await count()).toBe(2)
  })

  it('is kept twice where a word differs, or the Message-ID', async () => {
    await receive('one')
    await receive('two')
    await receive('one', 'from a', '<r2@example.com>')
    expect(await count()).toBe(3)
  })
})
