import { describe, expect, it, onTestFinished } from 'vitest'
import { allSteps } from '../../../src/service/store/migrations/migrations'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'
import { mailOf, startScriptedMailbox } from './support/scripted-mailbox'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })
const dayMs = 24 * 60 * 60_000
/** INTERNALDATE of a message that arrived before every connection here. */
const longAgo = '01-Feb-2026 12:00:00 +0000'
const subjectsOf = (messages: { subject: string }[]) => messages.map(({ subject }) => subject).sort()

describeDatabases('the history of a connected mailbox', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)

  /** Connects a mailbox with an old message, and waits until that and a new one were read. */
  async function imported() {
    const mailbox = await startScriptedMailbox()
    const now = new Date().toUTCString()
    mailbox.imap.append(mailOf('old', `Date: ${now}\r\n`), 'INBOX', [], longAgo)
    const { body } = await service.call('POST', '/connections', { body: mailbox.body({ since: 'all' }) })
    const { id, inbox_id } = body
    const subjects = async () =>
      subjectsOf((await service.call('GET', `/messages?inbox_id=${inbox_id}`)).body.messages)
    await poll(subjects).toEqual(['old'])
    mailbox.imap.append(mailOf('new', 'Date: Mon, 02 Feb 2026 12:00:00 +0000\r\n'))
    await poll(subjects).toEqual(['new', 'old'])
    return Object.assign(mailbox, {
      /** Creates a consumer of the inbox, and returns what it is given. */
      async given(name: string, more: object = {}) {
        await service.call('POST', '/consumers', { body: { name, inbox_id, ...more } })
        const state = (await service.call('GET', `/consumers/${name}`)).body
        const lease = await service.call('POST', `/consumers/${name}/lease`, { body: { max: 9 } })
        const subjects = subjectsOf(
          lease.body.deliveries.map(({ message }: { message: { subject: string } }) => message),
        )
        expect(state.waiting).toBe(subjects.length)
        return subjects
      },
      disconnect: () => service.call('DELETE', `/connections/${id}`),
    })
  }

  it('is not given to a new consumer, whatever dates the senders chose', async () => {
    await using mailbox = await imported()
    expect(await mailbox.given('history-unanswered', { from: 'unanswered' })).toEqual(['new'])
    expect(await mailbox.given('history-start', { from: 'start' })).toEqual(['new', 'old'])
  })

  it('stays history once the mailbox is disconnected', async () => {
    await using mailbox = await imported()
    expect((await mailbox.disconnect()).status).toBe(204)
    expect(await mailbox.given('history-later')).toEqual(['new'])
  })
})

describeDatabases('a database of a version before the marks of older mail', (openDatabase) => {
  it('gets them, so that a new consumer is not given the history', async () => {
    const { options, drop } = await openDatabase('new')
    onTestFinished(drop)
    await using service = await openService(options)
    await using mailbox = await startScriptedMailbox()
    mailbox.imap.append(mailOf('old', 'Date: Mon, 02 Feb 2026 12:00:00 +0000\r\n'), 'INBOX', [], longAgo)
    await service.call('POST', '/connections', { body: mailbox.body({ since: 'all' }) })
    const messages = async () => (await service.call('GET', '/messages')).body.messages
    await poll(async () => subjectsOf(await messages())).toEqual(['old'])
    const db = await openBeside(options)
    onTestFinished(() => db.destroy())
    await db.deleteFrom('connected_mails').where('key', 'like', 'o:%').execute()
    const waiting = async (name: string) => {
      await service.call('POST', '/consumers', { body: { name } })
      return (await service.call('GET', `/consumers/${name}`)).body.waiting
    }
    expect(await waiting('before')).toBe(1)
    const step = allSteps['0016-older-mail']!(options.databaseUrl ? 'postgres' : 'sqlite')
    await step.up(db)
    await step.up(db)
    expect(await waiting('after')).toBe(0)
  })
})

describe('a mailbox that is connected again', () => {
  it('goes on with what arrived during days without a login, which is no history', async () => {
    const clock = new JumpClock(Date.now() - 6 * dayMs)
    await using service = await openService({}, { clock })
    await using mailbox = await startScriptedMailbox()
    const body = mailbox.body()
    const { id, since, created_at } = (await service.call('POST', '/connections', { body })).body
    const state = async () => {
      clock.jump(1_000)
      return (await service.call('GET', `/connections/${id}`)).body
    }
    await poll(async () => (await state()).state).toBe('live')
    mailbox.imap.admits = () => false
    mailbox.imap.kickAll()
    await poll(async () => (await state()).state).not.toBe('live')
    const [, day, month, year, time] = new Date(clock.now() + 2 * dayMs).toUTCString().split(' ')
    mailbox.imap.append(mailOf('meanwhile'), 'INBOX', [], `${day}-${month}-${year} ${time} +0000`)
    clock.jump(5 * dayMs)
    mailbox.imap.admits = () => true
    expect(await service.call('POST', '/connections', { body })).toMatchObject({
      status: 200,
      body: { id, since, created_at },
    })
    const messages = async () => subjectsOf((await service.call('GET', '/messages')).body.messages)
    await poll(async () => {
      await state()
      return messages()
    }).toEqual(['meanwhile'])
    await service.call('POST', '/consumers', { body: { name: 'desk' } })
    expect((await service.call('GET', '/consumers/desk')).body.waiting).toBe(1)
  })
})
