import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useDatabase } from '../../support/use-service'

const large = `From: a@example.com\r\nTo: x\r\nSubject: large\r\n\r\n${'0123456789\r\n'.repeat(20_000)}`

describeDatabases('mail that is too large for its row', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const open = () => database.start(openService)

  it('is there byte for byte after a restart, and on every node of a database that may have several', async () => {
    const first = await open()
    await first.mail({ raw: large, envelope: { from: 'a@example.com', to: first.home.address } })
    if (database.options.data !== undefined) await first[Symbol.asyncDispose]()
    const second = await open()
    const [{ id }] = (await second.call('GET', '/messages')).body.messages
    expect((await second.call('GET', `/messages/${id}/raw`)).body).toBe(large)
  })
})
