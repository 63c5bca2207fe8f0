import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { backUp } from '../../../src/service/backup/backup'
import { restore } from '../../../src/service/backup/restore'
import { readSettings } from '../../../src/service/settings'
import { postgresSchema, reachable, schemaOf } from '../../support/databases'
import { startFakeSmtp } from '../../support/fake-smtp'
import { JumpClock } from '../../support/jump-clock'
import { postgresUrl } from '../../support/postgres-url'
import { openService, type QuietService } from '../../support/service'

const run = promisify(execFile)

const large = `From: a@example.com\r\nTo: x\r\nSubject: large\r\n\r\n${'0123456789\r\n'.repeat(20_000)}`

describe('a backup', () => {
  let root: string
  const at = (name: string) => join(root, name)
  const running: AsyncDisposable[] = []
  const start = async (data: string, options: object = {}, ports: object = {}) => {
    const service = await openService({ data, ...options }, ports)
    running.push(service)
    return service
  }
  const messages = async ({ call }: QuietService) => (await call('GET', '/messages?limit=100')).body.messages
  async function whileMailComes<T>(service: QuietService, work: () => Promise<T>): Promise<T> {
    let open = true
    const traffic = (async () => {
      for (let i = 0; open && i < 200; i++) await service.mail({ subject: `mail ${i}` })
    })()
    const result = await work()
    open = false
    await traffic
    return result
  }
  const waiting = ({ home }: QuietService, subject: string) => ({
    body: { inbox_id: home.inboxId, to: ['bo@example.com'], subject, text: 'hi' },
  })
  const epochOf = async ({ call }: QuietService) => (await call('GET', '/events?after=now')).body.epoch
  const statusOf = async ({ call }: QuietService, id: string) =>
    (await call('GET', `/messages/${id}`)).body.delivery_status
  /** A service with a mail that nobody takes now. */
  async function startBusy(options: object) {
    const busy = await startFakeSmtp({ '.': '451 4.7.1 later' })
    const service = await openService({ delivery: `smtp://127.0.0.1:${busy.port}`, ...options })
    running.push(service)
    const { id } = (await service.call('POST', '/messages', waiting(service, 'waits'))).body
    await expect.poll(() => statusOf(service, id)).toBe('deferred')
    return { service, id: id as string }
  }
  /** Expects that mail which waited does not go out beside other mail, until it is told to. */
  async function expectToHold(
    options: object,
    id: string,
    release: () => Promise<unknown>,
  ): Promise<QuietService> {
    const fake = await startFakeSmtp()
    // Longer than a mail is tried.
    const clock = new JumpClock(Date.now() + 5 * 86_400_000)
    const service = await openService({ delivery: `smtp://127.0.0.1:${fake.port}`, ...options }, { clock })
    running.push(service)
    const other = (await service.call('POST', '/messages', waiting(service, 'goes'))).body
    await expect.poll(() => statusOf(service, other.id)).toBe('sent')
    expect(fake.mails).toEqual([expect.stringContaining('Subject: goes')])
    await release()
    await expect
      .poll(() => {
        clock.jump(5_000)
        return statusOf(service, id)
      })
      .toBe('sent')
    return service
  }
  /** The oldest mail is there to the byte, the log is whole, and goes on. */
  async function expectToGoOn(service: QuietService): Promise<void> {
    const { events, head } = (await service.call('GET', '/events?after=0&limit=500')).body
    expect(events.map((event: { seq: number }) => event.seq)).toEqual(
      Array.from({ length: head }, (_, i) => i + 1),
    )
    const [oldest] = (await service.call('GET', '/messages?order=asc&limit=1&direction=inbound')).body
      .messages
    expect((await service.call('GET', `/messages/${oldest.id}/raw`)).body).toBe(large)
    await service.mail({ subject: 'after it' })
    expect((await messages(service))[0]).toMatchObject({ subject: 'after it', seq: head + 2 })
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'restante-backup-'))
  })
  afterEach(async () => {
    for (const one of running.splice(0)) await one[Symbol.asyncDispose]()
    await rm(root, { recursive: true, force: true })
  })

  it('of a running service is restored to one that goes on: same keys, same numbers, same bytes', async () => {
    const first = await start(at('data'))
    await first.mail({ raw: large, envelope: { from: 'a@example.com', to: first.home.address } })
    const steps: object[] = []
    const onProgress = (step: object) => steps.push(step)
    expect(await whileMailComes(first, () => backUp(at('data'), at('copy'), onProgress))).toEqual({
      blobs: 1,
    })
    expect((await stat(at('copy'))).mode & 0o777).toBe(0o700)
    await first[Symbol.asyncDispose]()

    await restore(at('copy'), at('restored'), { onProgress })
    const reported = [
      { step: 'the database', done: 0 },
      { step: 'large mails', done: 0, of: 1 },
    ]
    expect(steps).toEqual([...reported, ...reported])
    const second = await start(at('restored'))
    expect(second.home).toEqual(first.home)
    await expectToGoOn(second)
  })

  it.skipIf(!reachable)(
    'of PostgreSQL is what pg_dump makes, and what waited is held by a command',
    async () => {
      const { options, drop } = await postgresSchema('new')
      const { service: first, id } = await startBusy(options)
      await first.mail({ raw: large, envelope: { from: 'a@example.com', to: first.home.address } })
      const before = await epochOf(first)
      const dump = [
        '--format',
        'custom',
        '--schema',
        schemaOf(options),
        '--file',
        at('restante.dump'),
        postgresUrl,
      ]
      await whileMailComes(first, () => run('pg_dump', dump))
      await first[Symbol.asyncDispose]()
      await drop()
      await run('pg_restore', ['--exit-on-error', '--dbname', postgresUrl, at('restante.dump')])
      expect(await administer(readSettings(options), 'hold', {})).toEqual({ jobs: 1 })
      const second = await expectToHold(options, id, async () =>
        expect(await administer(readSettings(options), 'send-held', {})).toEqual({ jobs: 1 }),
      )
      expect(second.home).toEqual(first.home)
      expect(await epochOf(second)).not.toBe(before)
      await expectToGoOn(second)
      await second[Symbol.asyncDispose]()
      await drop()
    },
  )

  it('does not send again what waited then, until it is told to', async () => {
    const { service, id } = await startBusy({ data: at('data') })
    await backUp(at('data'), at('copy'))
    await service[Symbol.asyncDispose]()
    expect(await restore(at('copy'), at('held'))).toMatchObject({ held: 1 })
    const options = { data: at('held') }
    await expectToHold(options, id, async () =>
      expect(await administer(readSettings(options), 'send-held', {})).toEqual({ jobs: 1 }),
    )
    expect(await administer(readSettings(options), 'send-held', {})).toEqual({ jobs: 0 })
    expect(await restore(at('copy'), at('again'), { sendPending: true })).toMatchObject({ held: 0 })
  })

  it('can be made of a folder that nobody uses', async () => {
    const first = await start(at('data'))
    await first[Symbol.asyncDispose]()
    await backUp(at('data'), at('copy'))
    expect(existsSync(join(at('copy'), 'backup.json'))).toBe(true)
  })

  it('is refused where something is in the way, and nothing is changed', async () => {
    const first = await start(at('data'))
    await first.mail({ raw: large, envelope: { from: 'a@example.com', to: first.home.address } })
    await expect(backUp(at('none'), at('copy'))).rejects.toMatchObject({ code: 'no_database' })
    await expect(backUp(at('data'), at('data'))).rejects.toMatchObject({ code: 'folder_not_empty' })
    await backUp(at('data'), at('copy'))
    await expect(restore(at('copy'), at('data'))).rejects.toMatchObject({ code: 'folder_not_empty' })
    await expect(restore(at('data'), at('new'))).rejects.toMatchObject({ code: 'not_a_backup' })

    const blobs = readdirSync(join(at('copy'), 'blobs'), { recursive: true, withFileTypes: true })
    const blob = blobs.find((entry) => entry.isFile())!
    const file = join(blob.parentPath, blob.name)
    writeFileSync(file, 'changed')
    await expect(restore(at('copy'), at('new'))).rejects.toMatchObject({ code: 'backup_damaged' })
    rmSync(file)
    await expect(restore(at('copy'), at('new'))).rejects.toMatchObject({ code: 'backup_damaged' })
    expect(readdirSync(at('new'))).toEqual([])
    writeFileSync(join(at('copy'), 'restante.sqlite'), 'x'.repeat(10_000))
    await expect(restore(at('copy'), at('new'))).rejects.toMatchObject({ code: 'backup_damaged' })
    expect(readdirSync(root).sort()).toEqual(['copy', 'data', 'new'])
  })
})
