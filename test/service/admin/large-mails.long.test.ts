import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceOptions } from 'restante/service'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { backUp } from '../../../src/service/backup/backup'
import { restore } from '../../../src/service/backup/restore'
import { readSettings } from '../../../src/service/settings'
import { openBucket } from '../../../src/service/store/blobs/bucket'
import { runHere } from '../../cli/support/in-process'
import { describeDatabases } from '../../support/databases'
import { type FaultyBucket, startFaultyBucket } from '../../support/faulty-bucket'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'
import { type Swift, startSwift, swiftIsMissing } from '../../support/swift'
import { useDatabase } from '../../support/use-service'

const hourMs = 3_600_000
const large = (word: string) =>
  `From: a@example.com\r\nTo: x\r\nSubject: ${word}\r\n\r\n${`${word} 0123456789\r\n`.repeat(9_000)}`

describe.skipIf(swiftIsMissing())('large mails in a bucket', () => {
  let swift: Swift
  let wire: FaultyBucket
  let bucket: ServiceOptions
  let tests = 0
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    wire = await startFaultyBucket(swift.port)
    bucket = { ...swift.options, blobs: `s3://mails/${++tests}`, blobsEndpoint: wire.endpoint }
  })
  afterEach(() => wire[Symbol.asyncDispose]())

  const objects = async () => {
    const listing = await (await swift.ask('GET', 'mails')).text()
    return [...listing.matchAll(/<Key>(\d+)\/([\da-f]{64})<\/Key>/g)].filter(([, of]) => of === String(tests))
  }
  const take = (service: QuietService, word: string) =>
    service.mail({ raw: large(word), envelope: { from: 'a@example.com', to: service.home.address } })
  const subjects = async ({ call }: QuietService) =>
    (await call('GET', '/messages')).body.messages.map((one: { subject: string }) => one.subject)
  const raws = async ({ call }: QuietService) => {
    const { messages } = (await call('GET', '/messages?order=asc')).body
    const answers = []
    for (const { id } of messages) answers.push((await call('GET', `/messages/${id}/raw`)).body)
    return answers
  }

  describeDatabases('a service', (openDatabase) => {
    const database = useDatabase(openDatabase)
    const start = (more: ServiceOptions = bucket, ports = {}) =>
      database.start((options) => openService({ ...options, ...more }, ports))

    it('answers 250 once a large mail is there, and 451 while it is refused or away', async () => {
      const service = await start()
      wire.decide((method) => (method === 'PUT' ? 507 : 'pass'))
      await expect(take(service, 'first')).rejects.toThrow('451')
      expect(await subjects(service)).toEqual([])
      expect((await service.mail({ subject: 'small' })).response).toContain('250')
      wire.decide(() => 'pass')
      expect((await take(service, 'first')).response).toContain('250')
      expect(await objects()).toHaveLength(1)
      expect((await raws(service)).at(-1)).toBe(large('first'))

      wire.decide(() => 507)
      const { messages } = (await service.call('GET', '/messages?order=desc')).body
      expect(await service.call('GET', `/messages/${messages[0].id}/raw`)).toMatchObject({
        status: 503,
        body: { error: 'unavailable' },
      })
    })

    it('erases from the bucket what nothing names any more', async () => {
      const clock = new JumpClock()
      const service = await start(bucket, { clock })
      await take(service, 'kept')
      await take(service, 'gone')
      const { messages } = (await service.call('GET', '/messages?order=asc')).body
      expect((await service.call('DELETE', `/messages/${messages[1].id}`)).status).toBe(204)
      await expect
        .poll(async () => {
          clock.jump(hourMs)
          return (await objects()).length
        })
        .toBe(1)
      expect(await raws(service)).toEqual([large('kept')])
    })

    it('erases the others where one cannot be removed, says so once, and removes that one later', async () => {
      const clock = new JumpClock()
      const reported: unknown[] = []
      const quiet = () => {}
      const error = (facts: unknown, message: string) => void reported.push([message, facts])
      const service = await start(bucket, {
        clock,
        logger: { debug: quiet, info: quiet, warn: quiet, error },
      })
      for (const word of ['one', 'two', 'three']) await take(service, word)
      const stuck = (await objects()).map(([, , hash]) => hash!).sort()[0]!
      wire.decide((method, url) => (method === 'DELETE' && url.includes(stuck) ? 403 : 'pass'))
      const { messages } = (await service.call('GET', '/messages')).body
      for (const { id } of messages) await service.call('DELETE', `/messages/${id}`)
      const left = async () => {
        clock.jump(hourMs)
        return (await objects()).map(([, , hash]) => hash)
      }
      await expect.poll(left).toEqual([stuck])
      const refusals = () =>
        wire.asked.filter((one) => one.startsWith('DELETE') && one.includes(stuck)).length
      const before = refusals()
      await expect
        .poll(async () => {
          await left()
          return refusals()
        })
        .toBeGreaterThan(before + 1)
      expect(reported).toEqual([
        ['an erased mail could not be removed yet', expect.objectContaining({ hash: stuck })],
      ])
      wire.decide(() => 'pass')
      await expect.poll(left).toEqual([])
    })

    it('reads mails from before until they are moved, by a command that goes on where it was stopped', async () => {
      const before = await start({})
      for (const word of ['one', 'two', 'three']) await take(before, word)
      await before[Symbol.asyncDispose]()

      await expect(administer(readSettings(database.options), 'move-blobs', {})).rejects.toMatchObject({
        code: 'no_bucket',
      })
      const place = readSettings({ ...database.options, ...bucket })
      let puts = 0
      wire.decide((method) => (method === 'PUT' && ++puts > 1 ? 403 : 'pass'))
      await expect(administer(place, 'move-blobs', {})).rejects.toThrow('403')
      expect(await objects()).toHaveLength(1)

      wire.decide(() => 'pass')
      const service = await start()
      const all = ['one', 'two', 'three'].map(large)
      expect(await raws(service)).toEqual(all)
      const settings = Object.entries({ ...database.options, ...bucket }).map(([name, value]) => [
        `RESTANTE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
        String(value),
      ])
      const move = () => runHere(['admin', 'move-blobs'], Object.fromEntries(settings))
      expect(await move()).toEqual({ code: 0, out: 'Moved 2 large messages to the bucket.\n', err: '' })
      expect(await move()).toEqual({ code: 0, out: 'Moved 0 large messages to the bucket.\n', err: '' })
      expect(await objects()).toHaveLength(3)
      expect(await raws(service)).toEqual(all)
    })
  })

  it('are in the backup of a data folder, and in what is made of it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'restante-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const [data, to, restored] = ['data', 'backup', 'restored'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    const first = await openService({ data, ...bucket })
    await take(first, 'backed up')
    await expect(backUp(data, join(root, 'without'))).rejects.toThrow('RESTANTE_BLOBS')
    expect(await backUp(data, to, undefined, readSettings(bucket))).toEqual({ blobs: 1 })
    await first[Symbol.asyncDispose]()
    await restore(to, restored)
    const second = await openService({ data: restored })
    expect(await raws(second)).toEqual([large('backed up')])
    await second[Symbol.asyncDispose]()
  })

  it('are in a backup that is made while they are moved', async () => {
    const root = await mkdtemp(join(tmpdir(), 'restante-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const data = join(root, 'data')
    const service = await openService({ data })
    await take(service, 'moved meanwhile')
    await service[Symbol.asyncDispose]()
    const files = join(data, 'blobs')
    const [folder] = await readdir(files)
    const [hash] = await readdir(join(files, folder!))
    const file = join(files, folder!, hash!)
    const content = await readFile(file)
    await rm(file)
    const { blobsRegion, blobsAccessKeyId, blobsSecretAccessKey } = swift.options
    const place = openBucket({
      ...{ bucket: 'mails', prefix: `${tests}/`, endpoint: swift.options.blobsEndpoint },
      ...{ region: blobsRegion, accessKeyId: blobsAccessKeyId, secretAccessKey: blobsSecretAccessKey },
    })
    // The bucket is looked at before it has the mail, and the folder once it has it no more.
    let looks = 0
    wire.decide((method) => (method === 'GET' && ++looks > 1 ? place.put(hash!, content, hash!) : 'pass'))
    const backedUp = await backUp(data, join(root, 'backup'), undefined, readSettings(bucket))
    expect([backedUp, looks]).toEqual([{ blobs: 1 }, 2])
  })

  it('keep no service from starting while the bucket is away, but while it will never take anything', async () => {
    await expect(openService({ ...bucket, blobsSecretAccessKey: 'wrong' })).rejects.toMatchObject({
      code: 'bucket_refuses',
      message: expect.stringContaining('SignatureDoesNotMatch'),
    })
    const refuses: [string, (method: string, url: string) => boolean][] = [
      ['answered GET', (method, url) => method === 'GET' && !url.includes('missing')],
      ['answered GET', (method, url) => method === 'GET' && url.includes('missing')],
      ['answered HEAD', (method) => method === 'HEAD'],
      ['answered DELETE', (method) => method === 'DELETE'],
    ]
    for (const [words, isRefused] of refuses) {
      wire.decide((method, url) => (isRefused(method, url) ? 403 : 'pass'))
      await expect(openService(bucket)).rejects.toMatchObject({
        code: 'bucket_refuses',
        message: expect.stringMatching(new RegExp(`${words}.+403.+list the bucket`)),
      })
    }
    wire.decide(() => 503)
    const service = await openService(bucket)
    wire.decide(() => 'pass')
    expect((await take(service, 'later')).response).toContain('250')
    await service[Symbol.asyncDispose]()
    expect(() => readSettings({ blobs: 's3://mails' })).toThrow('RESTANTE_BLOBS')
    expect(() => readSettings({ ...bucket, blobs: '/a/folder' })).toThrow('s3://bucket')
  })
})
