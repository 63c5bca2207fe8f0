import { expect, it } from 'vitest'
import { examine } from '../../../src/cli/doctor/doctor'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

describeDatabases('a message that two programs answered', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(openDatabase, (options) => openService(options, { clock }))
  const reported = async () =>
    (await examine(readSettings(database.options), [], { clock })).filter(
      ({ check }) => check === 'answered_twice',
    )
  const received = async () => {
    await service.mail({ subject: `Question ${Math.random()}` })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0].id as string
  }
  const reply = (id: string, consumer?: string) =>
    service.call('POST', `/messages/${id}/reply`, { body: { text: `By ${consumer}.`, consumer } })
  const answeredTwice = async (name: string) =>
    (await service.call('GET', `/consumers/${name}`)).body.answered_twice

  it('is reported for both consumers and by the doctor, for seven days', async () => {
    for (const name of ['desk', 'night']) await service.call('POST', '/consumers', { body: { name } })
    const id = await received()
    await reply(id, 'desk')
    await reply(id, 'desk')
    expect(await answeredTwice('desk')).toEqual([])
    expect(await reported()).toEqual([])
    expect((await reply(id, 'night')).status).toBe(200)
    expect(await answeredTwice('desk')).toMatchObject([{ message_id: id, other: 'night' }])
    expect(await answeredTwice('night')).toMatchObject([{ message_id: id, other: 'desk' }])
    expect(await reported()).toMatchObject([
      { problem: expect.stringContaining(`The consumers desk and night answered the same message`) },
    ])
    clock.jump(8 * 24 * 3_600_000)
    expect(await answeredTwice('desk')).toEqual([])
    expect(await reported()).toEqual([])
  })

  it('is reported for a consumer and a program outside every consumer, whoever is first', async () => {
    await service.call('POST', '/consumers', { body: { name: 'desk' } })
    const [first, second] = [await received(), await received()]
    await reply(first, 'desk')
    await reply(first)
    await reply(second)
    await reply(second, 'desk')
    const found = (await answeredTwice('desk')) as { message_id: string; other: string | null }[]
    expect(found.map(({ message_id }) => message_id).sort()).toEqual([first, second].sort())
    expect(found.map(({ other }) => other)).toEqual([null, null])
    expect((await reported())[0]?.problem).toContain('such as a webhook handler')
  })

  it('is none if a program outside every consumer answers alone', async () => {
    await service.call('POST', '/consumers', { body: { name: 'desk' } })
    const id = await received()
    await reply(id)
    await reply(id)
    expect(await reported()).toEqual([])
  })
})
