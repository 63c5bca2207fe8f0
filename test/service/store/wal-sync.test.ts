import fs from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import type { Store } from '../../../src/service/store/store'
import { temporaryFolder } from '../../support/temporary-folder'

type Answer = (error: NodeJS.ErrnoException | null) => void

/** Requests to the disk, which answers when the test says so. */
let asked: Answer[]
let store: Store

beforeEach(async () => {
  const folder = await temporaryFolder()
  store = await openSqlite(folder)
  await store.settled()
  asked = []
  vi.spyOn(fs, 'fdatasync').mockImplementation((_file, answer) => void asked.push(answer))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await store.close().catch(() => {})
})

const policy = (domain: string) => ({ domain, policy_id: '', policy: '', fetched_at: '', expires_at: '' })

/** Writes one row; says when that was promised, or why it was not. */
function write(domain: string): { promised: boolean; failure: unknown } {
  const outcome = { promised: false, failure: undefined as unknown }
  store
    .write((tx) => tx.insertInto('transport_policies').values(policy(domain)).execute())
    .then(
      () => (outcome.promised = true),
      (error) => (outcome.failure = error),
    )
  return outcome
}

const written = async () =>
  (await store.db.selectFrom('transport_policies').select('domain').orderBy('domain').execute()).map(
    ({ domain }) => domain,
  )
const askedTimes = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times), 15_000)
const fewTurns = async () => {
  for (let i = 0; i < 20; i++) await turn()
}

it('the sync of the log promises a write only once the disk has answered, and writes on meanwhile', async () => {
  const first = write('a')
  await askedTimes(1)
  const second = write('b')
  await vi.waitFor(async () => expect(await written()).toEqual(['a', 'b']), 15_000)
  await fewTurns()
  expect([first.promised, second.promised, asked.length]).toEqual([false, false, 1])

  asked[0]!(null)
  await askedTimes(2)
  await vi.waitFor(() => expect(first.promised).toBe(true), 15_000)
  // What was written after the first question may not be part of its answer.
  await fewTurns()
  expect(second.promised).toBe(false)
  asked[1]!(null)
  await vi.waitFor(() => expect(second.promised).toBe(true), 15_000)
  await store.settled()
  expect(asked).toHaveLength(2)
})

it('the sync of the log serves all that committed before with one answer', async () => {
  const first = write('a')
  await askedTimes(1)
  const others = ['b', 'c', 'd'].map(write)
  await vi.waitFor(async () => expect(await written()).toHaveLength(4), 15_000)
  asked[0]!(null)
  await askedTimes(2)
  asked[1]!(null)
  await vi.waitFor(() => expect([first, ...others].every(({ promised }) => promised)).toBe(true), 15_000)
})

it('the sync of the log tells readers once what was read is on disk', async () => {
  write('a')
  await askedTimes(1)
  let settled = false
  const settling = store.settled().then(() => (settled = true))
  await fewTurns()
  expect(settled).toBe(false)
  asked[0]!(null)
  await settling
})

it('the sync of the log promises nothing more once the disk has failed', async () => {
  const failing = write('a')
  await askedTimes(1)
  const behind = write('b')
  await vi.waitFor(async () => expect(await written()).toEqual(['a', 'b']), 15_000)
  const broken = Object.assign(new Error('the disk is broken'), { code: 'EIO' })
  asked[0]!(broken)
  await vi.waitFor(() => expect([failing.failure, behind.failure]).toEqual([broken, broken]), 15_000)
  const later = write('c')
  await vi.waitFor(() => expect(later.failure).toBe(broken), 15_000)
  expect(asked).toHaveLength(1)
})
