import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TenantTable, tenantTables } from '../../../src/service/store/tables/tenant-tables'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { failStatements } from '../../support/fail-statements'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const statements = failStatements()
afterAll(() => statements.restore())

describeDatabases('a change whose every statement fails once', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )

  let db: Awaited<ReturnType<typeof openBeside>>
  let tables: TenantTable[]
  beforeAll(async () => {
    db = await openBeside(database.options)
    tables = await tenantTables(db, database.options.databaseUrl ? 'postgres' : 'sqlite')
  })
  afterAll(() => db.destroy())

  /** Every row of the account. */
  async function rowsOf({ tenantId }: TestAccount): Promise<string[]> {
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } =
        await sql<object>`select * from ${sql.table(name)} where tenant_id = ${tenantId}`.execute(db)
      found.push(...rows.map((row) => `${name} ${JSON.stringify(row)}`))
    }
    return found.sort()
  }

  const content_base64 = Buffer.from('file').toString('base64')
  /** An account with something of everything, where nothing moves by itself. */
  async function filled() {
    const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
    const post = async (path: string, body: object) => {
      const answer = await account.call('POST', path, { body })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body.id as string
    }
    const mail = { to: account.address, attachments: [{ filename: 'a.txt', content: 'a' }] }
    const messageIds = ['one', 'two'].map((name) => `<${name}.${account.tenantId}@example.com>`)
    await account.call('POST', '/consumers', { body: { name: 'bot' } })
    for (const messageId of messageIds) await service.mail({ ...mail, messageId })
    // The consumer has handled one of them, and holds the other.
    const { deliveries } = (await account.call('POST', '/consumers/bot/lease', { body: { max: 2 } })).body
    const handled = deliveries[0].message.id as string
    await account.call('POST', '/consumers/bot/ack', { body: { leases: [deliveries[0].lease] } })
    const { messages } = (await account.call('GET', '/messages?q=hi')).body
    const [message, other] = messages as { id: string; thread_id: string }[]
    const label = await post('/labels', { name: 'label' })
    await post(`/labels/${label}/assign`, { message_id: message!.id })
    const { inboxId } = account
    const attachments = [{ filename: 'a.txt', content_base64 }]
    const draft = await post('/drafts', { inbox_id: inboxId, to: ['a@example.com'], text: 'a', attachments })
    return { account, inboxId, label, draft, message: message!, other: other!, messageIds, handled }
  }
  type Filled = Awaited<ReturnType<typeof filled>>

  const fine = async (answer: Promise<{ status: number }>) => (await answer).status < 300
  const taken = (mail: Parameters<typeof service.mail>[0]) =>
    service.mail(mail).then(
      () => true,
      (error) => {
        expect(error.message).toMatch(/\b451\b/)
        return false
      },
    )
  const changes: Record<string, (filled: Filled) => Promise<boolean>> = {
    'a mail that comes in': ({ account }) => taken({ to: account.address, subject: 'next' }),
    'a mail that joins two threads, of which a consumer is told': ({ account, messageIds }) =>
      taken({ to: account.address, references: messageIds }),
    'marking as spam what a consumer has handled, of which it is told': ({ account, handled }) =>
      fine(account.call('POST', '/labels/spam/assign', { body: { message_id: handled } })),
    'a label': ({ account, label, other }) =>
      fine(account.call('POST', `/labels/${label}/assign`, { body: { message_id: other.id } })),
    'a new draft': ({ account, inboxId }) => {
      const attachments = [{ filename: 'b.txt', content_base64 }]
      return fine(account.call('POST', '/drafts', { body: { inbox_id: inboxId, attachments } }))
    },
    'erasing a draft': ({ account, draft }) => fine(account.call('DELETE', `/drafts/${draft}`)),
    'erasing a message': ({ account, message }) => fine(account.call('DELETE', `/messages/${message.id}`)),
    'erasing a thread': ({ account, other }) => fine(account.call('DELETE', `/threads/${other.thread_id}`)),
    'erasing an inbox': ({ account, inboxId }) => fine(account.call('DELETE', `/inboxes/${inboxId}`)),
    'erasing an account': ({ account }) =>
      service.service.admin.erase(account.tenantId).then(
        () => true,
        () => false,
      ),
  }

  it.each(Object.keys(changes))('leaves nothing half done: %s', async (name) => {
    const made = await filled()
    const before = await rowsOf(made.account)
    let nth = 1
    for (; nth < 100; nth++) {
      statements.failAt(nth)
      const done = await changes[name]!(made)
      const { hasFailed } = statements
      statements.failAt(null)
      expect(done, `statement ${nth}`).toBe(!hasFailed)
      if (done) break
      expect(await rowsOf(made.account), `statement ${nth}`).toEqual(before)
    }
    expect(nth).toBeGreaterThan(2)
    expect(await rowsOf(made.account)).not.toEqual(before)
  })
})
