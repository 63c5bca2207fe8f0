import { expect, it, onTestFinished } from 'vitest'
import { judgeEmbeddings } from '../../../src/cli/doctor/fitness-embeddings'
import type { Embedder } from '../../../src/service/ports'
import { WordPieces } from '../../../src/service/search/semantic/word-pieces'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'

/** An embedder of the user's own, which keeps the documents that it was given, in order. */
class OwnEmbedder implements Embedder {
  readonly documents: string[] = []
  readonly id: string

  constructor(id = 'own-1') {
    this.id = id
  }

  async embed(texts: readonly string[], kind: 'query' | 'document') {
    if (kind === 'document') this.documents.push(...texts)
    return texts.map((text) => [/boat|vessel/i.test(text) ? 1 : 0.1, /pet|feline/i.test(text) ? 1 : 0.1])
  }
}

describeDatabases('embedding', (openDatabase) => {
  async function start(embedder?: Embedder, given?: Awaited<ReturnType<typeof openDatabase>>) {
    const database = given ?? (await openDatabase())
    const clock = new JumpClock()
    const service = await openService(
      { ...database.options, embeddings: 'builtin' },
      { clock, ...(embedder && { embedder }) },
    )
    const beside = await openBeside(database.options)
    let isOpen = true
    const close = async () => {
      if (!isOpen) return
      isOpen = false
      await service[Symbol.asyncDispose]()
      await beside.destroy()
    }
    onTestFinished(async () => {
      await close()
      if (!given) await database.drop()
    })
    const search = async (q: string, mode = 'semantic') =>
      (await service.call('GET', `/messages?${new URLSearchParams({ q, mode })}`)).body as {
        mode_used: string
        messages: { id: string; preview: string }[]
      }
    const embed = async (q: string) => {
      // The job may be written while the clock jumps, so it jumps until the job is done.
      const modeAfterJump = async () => {
        clock.jump(10_000)
        return (await search(q)).mode_used
      }
      await expect.poll(modeAfterJump).toBe('semantic')
    }
    return { database, clock, service, beside, close, search, embed }
  }
  const mails = ['The feline sleeps.', 'The vessel sails.']

  it('is done by an embedder of the user, and finds messages without the words', async () => {
    const { service, search, embed } = await start(new OwnEmbedder())
    for (const text of mails) await service.mail({ subject: 'Note', text })
    await embed('boat')
    expect((await search('boat')).messages[0]!.preview).toContain('vessel')
    expect((await search('pet')).messages[0]!.preview).toContain('feline')
  })

  it('takes bulk mail last', async () => {
    const own = new OwnEmbedder()
    const { service, embed } = await start(own)
    const bulk = { precedence: 'bulk', 'list-id': '<news.example.com>' }
    await service.mail({ subject: 'News', text: 'A boat in the news.', headers: bulk })
    await service.mail({ subject: 'Letter', text: 'A boat of a person.' })
    await embed('boat')
    await expect.poll(() => own.documents.map((text) => text.split('\n')[0])).toEqual(['Letter', 'News'])
  })

  it('removes the vectors of a replaced model in bounded batches', async () => {
    const first = await start(new OwnEmbedder())
    for (const text of mails) await first.service.mail({ subject: 'Note', text })
    await first.embed('boat')
    const { tenantId } = first.service.home
    const { id } = await first.beside.selectFrom('search_models').select('id').executeTakeFirstOrThrow()
    for (let from = 0; from < 1_200; from += 300) {
      const added = Array.from({ length: 300 }, (_, i) => ({
        ...{ tenant_id: tenantId, model: id, seq: 1e9 + from + i, inbox_id: 'inb_x' },
        ...{ version: 1, vectors: new Uint8Array(2) },
      }))
      await first.beside.insertInto('search_vectors').values(added).execute()
    }
    await first.close()
    const { beside, clock } = await start(new OwnEmbedder('own-2'), first.database)
    const models = () => beside.selectFrom('search_models').select(['embedder', 'state']).execute()
    await expect
      .poll(() => {
        clock.jump(6_000)
        return models()
      })
      .toEqual([{ embedder: 'own-2', state: 'current' }])
    const rows = await beside.selectFrom('search_vectors').select('seq').execute()
    expect(rows).toHaveLength(2)
  })

  it('keeps no row of an erased message', async () => {
    const { service, search, embed, beside } = await start()
    await service.mail({ subject: 'Note', text: 'The vessel sails to the harbour at noon.' })
    await embed('vessel')
    const rows = () => beside.selectFrom('search_vectors').select('seq').execute()
    expect(await rows()).toHaveLength(1)
    const [message] = (await search('vessel')).messages
    expect((await service.call('DELETE', `/messages/${message!.id}`)).status).toBe(204)
    expect(await rows()).toEqual([])
  })

  it('continues after a start that finds messages without vectors and no job', async () => {
    const first = await start(new OwnEmbedder())
    await first.service.mail({ subject: 'Note', text: mails[0]! })
    await first.embed('boat')
    await first.service.mail({ subject: 'Note', text: mails[1]! })
    await first.search('boat', 'keyword')
    await first.beside.deleteFrom('jobs').where('queue', '=', 'embeddings').execute()
    await first.close()
    const own = new OwnEmbedder()
    const { clock } = await start(own, first.database)
    await expect
      .poll(() => {
        clock.jump(6_000)
        return own.documents.length
      })
      .toBe(1)
  })

  it('is counted: doctor warns after a day', async () => {
    const { service, beside, clock, search } = await start(new OwnEmbedder())
    await service.mail({ subject: 'Note', text: mails[0]! })
    await search('boat', 'keyword')
    const settings = readSettings({})
    const after = (ms: number) => judgeEmbeddings(beside, settings, clock.now() + ms)
    expect(await after(23 * 3_600_000)).toBeNull()
    expect(await after(25 * 3_600_000)).toMatchObject({
      check: 'embeddings_behind',
      problem: expect.stringMatching(/^1 messages have no vectors/),
    })
    expect(await judgeEmbeddings(beside, readSettings({ embeddings: 'off' }), clock.now() + 1e9)).toBeNull()
  })
})

it('reports the messages that wait to be embedded, and the age of the oldest', async () => {
  const clock = new JumpClock()
  await using service = await openService({ metrics: '127.0.0.1:0' }, { clock, embedder: new OwnEmbedder() })
  const { metrics } = await service.service.listen()
  await service.mail({ subject: 'Note', text: 'A boat.' })
  await service.call('GET', '/messages?q=boat&mode=keyword')
  const text = await (await fetch(`http://${metrics}/metrics`)).text()
  expect(text).toMatch(/^restante_embedding_waiting_messages 1$/m)
  expect(text).toMatch(/^restante_embedding_oldest_seconds \d+/m)
})

it('remembers only the start of a long word', () => {
  const pieces = new WordPieces({
    pieces: ['x', 'y', 'a'],
    logProbabilities: Float32Array.of(0, 0, -1),
    firstPiece: 2,
  })
  const keys: number[] = []
  const { set } = Map.prototype
  Map.prototype.set = function (key, value) {
    if (typeof key === 'string') keys.push(key.length)
    return set.call(this, key, value)
  }
  onTestFinished(() => {
    Map.prototype.set = set
  })
  pieces.idsOf('a'.repeat(1_000_000), 10)
  expect(Math.max(...keys)).toBeLessThanOrEqual(200)
})
