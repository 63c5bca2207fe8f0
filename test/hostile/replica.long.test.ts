import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresSchema, reachable, schemaOf } from '../support/databases'
import { JumpClock } from '../support/jump-clock'
import { postgresUrl } from '../support/postgres-url'
import { startService } from '../support/service'

/** A PostgreSQL that takes nothing, as a replica does, until it is told to. */
async function openReplica() {
  const { options, drop } = await postgresSchema('new')
  const user = `replica_${randomUUID().slice(0, 8)}`
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  await admin.query(`create role ${user} login superuser`)
  await admin.query(`alter role ${user} set search_path = ${schemaOf(options)}`)
  onTestFinished(async () => {
    await drop()
    await admin.query(`drop role ${user}`)
    await admin.end()
  })
  const url = new URL(options.databaseUrl!)
  url.username = user
  const cut = () =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [user])
  return {
    options: { ...options, databaseUrl: url.href },
    /** Ends every connection. */
    cut,
    /** What is connected meanwhile is connected anew, as when another server takes over. */
    async setReadOnly(isReadOnly: boolean): Promise<void> {
      await admin.query(`alter role ${user} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
      await cut()
    },
  }
}

describe.skipIf(!reachable)('a service whose PostgreSQL takes nothing for a while', () => {
  test('says 503, 451 and not ready, reads on, loses nothing, and goes on by itself', async () => {
    const { options, setReadOnly } = await openReplica()
    const clock = new JumpClock()
    await using service = await startService(options, { clock })
    const ready = async () => {
      clock.jump(11_000)
      return (await fetch(`${service.url.slice(0, -'/v1'.length)}/readyz`)).status
    }
    const body = { to: ['ana@example.com'], subject: 'Hello', text: 'Hi' }
    const send = () => service.call('POST', '/messages', { body, headers: { 'idempotency-key': 'once' } })
    await service.mail({ subject: 'before' })

    await setReadOnly(true)
    await expect.poll(async () => (await send()).body.error).toBe('unavailable')
    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    await expect(service.mail({ subject: 'meanwhile' })).rejects.toThrow(/\b451 4\./)
    // The first read may find its connection cut.
    const read = async () => (await service.call('GET', '/messages')).body.messages
    await expect.poll(read).toMatchObject([{ subject: 'before' }])
    await expect.poll(ready).toBe(503)

    await setReadOnly(false)
    await expect.poll(async () => (await send()).status).toBe(200)
    await service.mail({ subject: 'after' })
    await expect.poll(ready).toBe(200)
    const { messages } = (await service.call('GET', '/messages')).body
    expect(messages.map(({ subject }: { subject: string }) => subject).sort()).toEqual([
      'Hello',
      'after',
      'before',
    ])
  })
})

describe.skipIf(!reachable)('a service whose connections to PostgreSQL are cut again and again', () => {
  test('answers or says 503 and 451, loses and doubles nothing that it took, and goes on by itself', async () => {
    const { options, cut } = await openReplica()
    await using service = await startService(options)
    const cutting = new AbortController()
    const cuts = (async () => {
      while (!cutting.signal.aborted) await cut()
    })()
    const taken: string[] = []
    const statuses = new Set<number>()
    try {
      for (let at = 0; at < 30; at += 1) {
        const subject = `mail ${at}`
        const mailed = service.mail({ subject }).then(
          () => void taken.push(subject),
          (error) => expect(error.message).toMatch(/\b451 4\./),
        )
        const asked = Array.from({ length: 4 }, () => service.call('GET', '/messages?limit=1'))
        for (const { status } of await Promise.all(asked)) statuses.add(status)
        await mailed
      }
    } finally {
      cutting.abort()
      await cuts
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(statuses).toContain(503)
    await expect
      .poll(() =>
        service.mail({ subject: 'after' }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    const { messages } = (await service.call('GET', '/messages?limit=100')).body
    const subjects = messages.map(({ subject }: { subject: string }) => subject)
    expect(subjects).toEqual(expect.arrayContaining([...taken, 'after']))
    expect(new Set(subjects).size).toBe(subjects.length)
  })
})
