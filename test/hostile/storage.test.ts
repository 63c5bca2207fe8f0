import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { ServiceOptions } from 'restante/service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { outageOf } from '../../src/service/base/outage'
import { openSqlite } from '../../src/service/store/open-sqlite'
import { directUrlOf, postgresSchema, reachable } from '../support/databases'
import { JumpClock } from '../support/jump-clock'
import { postgresUrl } from '../support/postgres-url'
import { startService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'

describe('a database that has no room left', () => {
  const fact = (key: string) => ({ key, value: 'x'.repeat(20_000) })

  /** A store in which the next writes come to the end of the room, and how to give it more. */
  async function fullStore() {
    const store = await openSqlite(await temporaryFolder())
    onTestFinished(() => store.close())
    const setMost = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(store.db)
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db)
    await setMost(rows[0]!.page_count + 8)
    const write = (key: string) =>
      store.write((tx) => tx.insertInto('host').values(fact(key)).execute()).then(() => key)
    const stored = async () => {
      const found = await store.db.selectFrom('host').select('key').where('key', 'like', 'fact%').execute()
      return found.map(({ key }) => key)
    }
    return { write, stored, makeRoom: () => setMost(1_000_000) }
  }

  it('says so to each of many that write together, keeps nothing of them, and goes on once there is room', async () => {
    const { write, stored, makeRoom } = await fullStore()
    const keys = ['fact1', 'fact2', 'fact3', 'fact4']
    const outcomes = await Promise.allSettled(keys.map(write))
    for (const one of outcomes) expect(one).toMatchObject({ reason: { code: 'SQLITE_FULL' } })
    expect(await stored()).toEqual([])
    await makeRoom()
    expect(await Promise.all(keys.map(write))).toEqual(keys)
    expect(await stored()).toEqual(keys)
  })

  it('says so to one that writes alone', async () => {
    const { write, stored, makeRoom } = await fullStore()
    expect(await write('fact1')).toBe('fact1')
    await expect(write('fact2')).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    await makeRoom()
    expect(await write('fact3')).toBe('fact3')
    expect(await stored()).toEqual(['fact1', 'fact3'])
  })
})

/** A small disk of its own; null where this system or user can mount none. */
async function smallDisk(): Promise<string | null> {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

/** A schema in PostgreSQL whose tables are kept on a disk; null where its server is not on this machine. */
async function schemaOn(disk: string): Promise<ServiceOptions | null> {
  const user = userNamed('postgres')
  if (!reachable || user === null) return null
  const { options, drop } = await postgresSchema('new')
  const name = `space_${randomUUID().replaceAll('-', '')}`
  const folder = join(disk, 'space')
  await mkdir(folder)
  await chown(folder, user, user)
  await chmod(disk, 0o755)
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  // No pooler lets the option through that names it.
  const url = directUrlOf(options)
  await admin.query(`create tablespace ${name} owner ${new URL(url).username} location '${folder}'`)
  onTestFinished(async () => {
    await drop()
    await admin.query(`drop tablespace ${name}`)
    await admin.end()
  })
  const databaseUrl = `${url}%20-c%20default_tablespace%3D${name}`
  return { ...options, databaseUrl, data: await temporaryFolder() }
}

/** The number of a user of this machine. */
function userNamed(name: string): number | null {
  try {
    return Number(execFileSync('id', ['-u', name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return null
  }
}

describe.each([
  ['SQLite', async (data: string) => ({ data })],
  ['PostgreSQL', schemaOn],
])('a service on %s whose disk is full', (database, optionsFor) => {
  it('puts mail and requests off, says why, and takes them once there is room', async ({ skip }) => {
    const disk = await smallDisk()
    const options = disk && (await optionsFor(disk))
    if (!disk || !options) return skip()
    const clock = new JumpClock()
    const said: string[] = []
    const note = (_facts: object, message: string) => void said.push(message)
    const logger = { debug: () => {}, info: () => {}, warn: note, error: () => {} }
    const service = await startService({ ...options, delivery: 'capture' }, { clock, logger })
    onTestFinished(() => service[Symbol.asyncDispose]())
    const ready = async () => {
      clock.jump(11_000)
      const response = await service.service.fetch(new Request('http://restante.test/readyz'))
      return { ...(await response.json()), status: response.status }
    }
    // What cannot be compressed needs the room that it has.
    const text = randomBytes(120_000).toString('base64')
    const body = { inbox_id: service.home.inboxId, to: ['ben@example.com'], text }
    const send = () => service.call('POST', '/messages', { body })
    const mail = { text: text.replaceAll(/.{60}/g, '$&\n') }

    expect(await ready()).toMatchObject({ status: 200, storage: true })
    const ballast = join(disk, 'ballast')
    await writeFile(ballast, new Uint8Array(12_000_000)).catch(() => {})
    await expect(service.mail(mail)).rejects.toThrow(/\b452 4\.3\.1 /)
    const refused = await send()
    expect(refused).toMatchObject({ status: 503, body: { error: 'storage_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('30')
    if (database === 'SQLite') {
      expect(await ready()).toMatchObject({ status: 503, database: true, storage: false })
      clock.jump(61_000)
      await expect.poll(() => said.join()).toContain('nearly full')
    }

    await writeFile(ballast, '')
    expect(await ready()).toMatchObject({ status: 200, storage: true })
    expect((await service.mail(mail)).response).toMatch(/^250 /)
    expect((await send()).status).toBe(200)
  })
})

it.each([
  ['ENOSPC', 'storage_unavailable'],
  ['SQLITE_FULL', 'storage_unavailable'],
  ['SQLITE_IOERR_WRITE', 'storage_unavailable'],
  ['53100', 'storage_unavailable'],
  ['EMFILE', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['25006', 'unavailable'],
  ['40P01', 'unavailable'],
])('a failure of storage: tells %s as %s, also where it is the cause of another failure', (code, refusal) => {
  const error = Object.assign(new Error('no'), { code })
  for (const one of [error, new Error('outer', { cause: error })])
    expect(outageOf(one)).toMatchObject({ code: refusal, status: 503, retryAfterMs: expect.any(Number) })
})

it('no other failure is taken for one of a full disk or a lost connection', () => {
  for (const one of [new Error('no'), Object.assign(new Error('no'), { code: '23505' }), 'no', undefined])
    expect(outageOf(one)).toBeNull()
})
