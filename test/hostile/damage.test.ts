import { copyFile, cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acceptLoss, openSqlite } from '../../src/service/store/open-sqlite'
import { checkWal } from '../../src/service/store/wal-check'
import { temporaryFolder } from '../support/temporary-folder'

const headerBytes = 32
const frameBytes = 24 + 4096

/** Makes what a killed process leaves: the folder of an open store, after some commits. */
async function leftBehind(commits = 6): Promise<string> {
  const [folder, left] = [await temporaryFolder(), await temporaryFolder()]
  const store = await openSqlite(folder)
  for (let i = 1; i <= commits; i++)
    await store.write((tx) =>
      tx
        .insertInto('host')
        .values({ key: `fact${i}`, value: 'x' })
        .execute(),
    )
  // The witness is written without waiting.
  await expect.poll(() => readFile(join(folder, 'witness'), 'utf8')).toMatch(new RegExp(`^${commits} `))
  await cp(folder, left, { recursive: true })
  await rm(join(left, 'restante.sqlite-shm'), { force: true })
  await store.close()
  return left
}

const logOf = (folder: string) => join(folder, 'restante.sqlite-wal')

async function changeLog(folder: string, change: (log: Buffer) => Buffer): Promise<void> {
  await writeFile(logOf(folder), change(await readFile(logOf(folder))))
}

function flipBit(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}

async function facts(folder: string) {
  const store = await openSqlite(folder)
  onTestFinished(() => store.close())
  const rows = await store.db.selectFrom('host').select('key').where('key', 'like', 'fact%').execute()
  return { facts: rows.length, warnings: store.warnings }
}

/** The position of the frame that is so many before the last. */
const frameFromEnd = (log: Buffer, back: number) =>
  headerBytes + (Math.floor((log.length - headerBytes) / frameBytes) - 1 - back) * frameBytes

const damages: Record<string, (folder: string) => Promise<unknown>> = {
  'one bit in a page': (folder) => changeLog(folder, (log) => flipBit(log, frameFromEnd(log, 2) + 100)),
  'one bit in the header of a frame': (folder) =>
    changeLog(folder, (log) => flipBit(log, frameFromEnd(log, 2) + 5)),
  'one bit in the header of the log': (folder) => changeLog(folder, (log) => flipBit(log, 10)),
  'a log that was cut between frames': (folder) =>
    changeLog(folder, (log) => log.subarray(0, frameFromEnd(log, 2))),
  'a log that was cut within a frame': (folder) =>
    changeLog(folder, (log) => log.subarray(0, frameFromEnd(log, 1) + 50)),
  'a log of zeros': (folder) => changeLog(folder, (log) => log.fill(0)),
  'an empty log': (folder) => truncate(logOf(folder)),
  'no log': (folder) => rm(logOf(folder)),
}

describe('a write-ahead log that lost something', () => {
  it.each(Object.entries(damages))('is told at the start: %s', async (_name, damage) => {
    const folder = await leftBehind()
    await damage(folder)
    for (let i = 0; i < 2; i++)
      await expect(openSqlite(folder)).rejects.toMatchObject({
        code: 'commits_missing',
        message: expect.stringMatching(
          /commit 6 of \d{4}-.* is missing\..*restante restore .*restante admin accept-loss/,
        ),
      })
    const { held, seen } = await acceptLoss(folder)
    expect(seen?.number).toBe(6)
    expect(held?.number ?? 0).toBeLessThan(6)
    expect(await facts(folder)).toEqual({ facts: held?.number ?? 0, warnings: [] })
  })

  it('is kept where it was damaged, and said where', async () => {
    const folder = await leftBehind()
    await damages['one bit in a page']!(folder)
    const before = await readFile(logOf(folder))
    await expect(openSqlite(folder)).rejects.toThrow(/damaged after \d+ pages, with 3 more; it is kept as /)
    expect(await readFile(`${logOf(folder)}.damaged`)).toEqual(before)
  })

  it('is no loss where nobody was told of what is missing', async () => {
    const folder = await leftBehind()
    await writeFile(join(folder, 'witness'), `5 ${new Date().toISOString()}\n`)
    await changeLog(folder, (log) => log.subarray(0, frameFromEnd(log, 0) + 50))
    expect(await facts(folder)).toEqual({ facts: 5, warnings: [] })
  })
})

describe('a folder that is whole', () => {
  it('opens without a word after a kill, after a stop and as a copy', async () => {
    const folder = await leftBehind()
    expect(checkWal(logOf(folder))).toMatchObject({ lostFrames: 0, badHeader: false })
    const copy = await temporaryFolder()
    await cp(folder, copy, { recursive: true })
    const first = await openSqlite(folder)
    expect(first.warnings).toEqual([])
    await first.write((tx) => tx.insertInto('host').values({ key: 'fact7', value: 'x' }).execute())
    await first.close()
    expect(await facts(folder)).toEqual({ facts: 7, warnings: [] })
    expect(await facts(copy)).toEqual({ facts: 6, warnings: [] })
  })

  it('says once that nothing can be told where nobody wrote the last commit down', async () => {
    const folder = await leftBehind()
    await rm(join(folder, 'witness'))
    const first = await openSqlite(folder)
    expect(first.warnings).toEqual([expect.stringContaining('cannot be told')])
    await first.close()
    expect(await facts(folder)).toEqual({ facts: 6, warnings: [] })
  })

  it('tells an older database that was put in its place', async () => {
    const [older, newer] = [await leftBehind(2), await leftBehind(6)]
    for (const name of ['restante.sqlite', 'restante.sqlite-wal'])
      await copyFile(join(older, name), join(newer, name))
    await expect(openSqlite(newer)).rejects.toMatchObject({
      code: 'commits_missing',
      details: { held: { number: 2 }, seen: { number: 6 } },
    })
  })

  it('lets nobody else read what it holds', async () => {
    const folder = await leftBehind(1)
    for (const name of ['restante.sqlite', 'restante.sqlite-wal', 'lock', 'owner', 'witness'])
      expect([name, (await stat(join(folder, name))).mode & 0o077]).toEqual([name, 0])
  })
})

it('a damaged database file is refused with the remedy', async () => {
  const folder = await leftBehind()
  await rm(logOf(folder))
  await writeFile(join(folder, 'restante.sqlite'), 'no database at all '.repeat(1_000))
  await expect(openSqlite(folder)).rejects.toMatchObject({
    code: 'database_damaged',
    message: expect.stringMatching(/restante restore .*\.recover/),
  })
})
