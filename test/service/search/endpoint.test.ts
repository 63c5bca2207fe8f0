import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

interface Asked {
  model: string
  input: string[]
  authorization: string | undefined
}

/** Speaks OpenAI's interface of embeddings: a text has a direction for each subject, and each model dimensions of its own. */
class EmbeddingsServer {
  readonly asked: Asked[] = []
  /** Answers to give first, by status. */
  readonly refusals: number[] = []
  /** Done before an answer. */
  before: (input: string[]) => Promise<void> = async () => {}
  readonly #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const { model, input } = JSON.parse(body) as Asked
      const status = this.refusals.shift()
      if (status)
        return response.writeHead(status, { 'retry-after': '0' }).end('{"error":{"message":"not now"}}')
      await this.before(input)
      this.asked.push({ model, input, authorization: request.headers.authorization })
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: vectorOf(model, text),
      }))
      // The order of answers is told by their index.
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', model, data: data.reverse() }))
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** The mails with a word, as they were embedded together. */
  batches(word: string): string[][] {
    const isMeant = (text: string) => text.startsWith('Note') && text.includes(word)
    return this.asked.map(({ input }) => input.filter(isMeant)).filter((input) => input.length > 0)
  }
}

const subjects = [/cat|feline|pet/i, /ship|boat|vessel/i, /bread|bakery|loaf/i]
const vectorOf = (model: string, text: string) => {
  const vector = subjects.map((subject) => (subject.test(text) ? 2 : 0.1))
  return model === 'small' ? vector : [...vector, 0.3, 0.3]
}

describeDatabases('search by an endpoint of embeddings', (openDatabase) => {
  let database: TestDatabase
  let server: EmbeddingsServer
  let embeddingsUrl: string
  let service: QuietService
  let clock: JumpClock
  const settingsOf = (embeddingsModel: string) => ({
    ...database.options,
    ...{ embeddingsUrl, embeddingsKey: 'sk-1', embeddingsModel },
  })
  const start = async (embeddingsModel: string) => {
    clock = new JumpClock()
    service = await openService(settingsOf(embeddingsModel), { clock })
  }
  beforeEach(async () => {
    database = await openDatabase()
    server = new EmbeddingsServer()
    embeddingsUrl = await server.listen()
    await start('small')
    for (const text of ['The feline sleeps.', 'The vessel sails.', 'The loaf is warm.'])
      await service.mail({ subject: 'Note', text })
  })
  afterEach(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
    await server.close()
  })

  const search = async (q: string, mode = 'semantic') => {
    const { body } = await service.call('GET', `/messages?${new URLSearchParams({ q, mode })}`)
    return body as { mode_used: string; messages: { preview: string }[] }
  }
  const first = async (q: string) => (await search(q)).messages[0]?.preview
  const untilSearched = async () => {
    await search('boat', 'keyword')
    clock.jump(10_000)
    await expect.poll(async () => (await search('boat')).mode_used).toBe('semantic')
  }

  it('finds the mail that the model finds near, with the key and the model of the settings', async () => {
    await untilSearched()
    expect(await first('boat')).toContain('vessel')
    expect(await first('pet')).toContain('feline')
    expect((await search('bakery', 'hybrid')).mode_used).toBe('hybrid')
    expect(new Set(server.asked.map(({ model }) => model))).toEqual(new Set(['small']))
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sk-1']))
    expect(server.batches('feline')).toHaveLength(1)
  })

  it('embeds what comes within some seconds together, though the queue is looked at meanwhile', async () => {
    await untilSearched()
    for (const text of ['A later pet.', 'A later boat.']) {
      clock.jump(4_000)
      await service.mail({ subject: 'Note', text })
      await search('pet', 'keyword')
      // The queue is looked at every five seconds.
      clock.jump(2_000)
      for (let i = 0; i < 5; i++) await search(`pet ${i}`)
    }
    clock.jump(10_000)
    await expect.poll(() => server.batches('later').flat().length).toBe(2)
    expect(server.batches('later').map((input) => input.length)).toEqual([2])
  })

  it('embeds all anew once where that is asked for, though mail comes meanwhile', async () => {
    await untilSearched()
    // One comes while the others are embedded, and one while that one is.
    let left = 2
    server.before = async ([text]) => {
      if (text?.startsWith('Note') && left-- > 0) await service.mail({ subject: 'Note', text: 'Meanwhile.' })
    }
    // The words are indexed again by a clock that stands still otherwise.
    const counts = await administer(readSettings(settingsOf('small')), 'reindex', {}, () => clock.jump(1_000))
    expect(counts.embedded).toBeGreaterThanOrEqual(3)
    expect(server.batches('feline')).toHaveLength(2)
    await search('boat', 'keyword')
    // Where the order ended before the first that came was embedded, the second comes in the turn after it.
    const embedded = () => {
      clock.jump(6_000)
      return server.batches('Meanwhile').flat().length
    }
    // A lease of 20 seconds of that clock is extended in less than two of ours.
    await expect.poll(embedded, { interval: 1_000 }).toBe(2)
    expect(server.batches('feline')).toHaveLength(2)
  })

  it('embeds all anew before it says so, though the endpoint fails meanwhile', async () => {
    await untilSearched()
    server.refusals.push(400)
    const cannot = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => cannot.mockRestore())
    let looks = 0
    const counts = await administer(readSettings(settingsOf('small')), 'reindex', {}, () => {
      // It is tried again after a minute.
      if (++looks > 2 && server.batches('feline').length === 1) clock.jump(61_000)
    })
    expect(counts).toEqual({ messages: 3, indexed: 3, embedded: 3 })
    expect(server.batches('feline').length).toBeGreaterThan(1)
  })

  it('embeds the mail of another account before all of a large one', async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, i) => service.mail({ subject: 'Note', text: `Large ${i}` })),
    )
    await search('boat', 'keyword')
    clock.jump(1)
    const headers = { 'idempotency-key': 'n'.repeat(43) }
    const other = (await service.call('POST', '/agent-signups', { key: null, headers })).body
    await service.mail({ to: other.inbox.address, subject: 'Note', text: 'Small.' })
    await service.call('GET', '/messages?q=boat&mode=keyword', { key: other.api_key })
    await untilSearched()
    const order = server.asked.map(({ input }) => input.join())
    const small = order.findIndex((texts) => texts.includes('Small'))
    expect(small).toBeGreaterThan(order.findIndex((texts) => texts.includes('Large')))
    expect(small).toBeLessThan(order.findLastIndex((texts) => texts.includes('Large')))
  })

  it('tries again where the endpoint has too much to do', async () => {
    server.refusals.push(429, 503)
    await untilSearched()
    expect(await first('bakery')).toContain('loaf')
  })

  it('embeds all anew for another model, and compares only vectors of one', async () => {
    await untilSearched()
    await service[Symbol.asyncDispose]()
    await start('large')
    await expect
      .poll(async () => {
        // Without a pause: there is always one model that answers.
        expect((await search('boat')).mode_used).toBe('semantic')
        expect(await first('boat')).toContain('vessel')
        return server.asked.some(({ model, input }) => model === 'large' && input[0] === 'boat')
      })
      .toBe(true)
    expect(
      server.asked.filter(({ model }) => model === 'large').flatMap(({ input }) => input),
    ).toContainEqual(expect.stringContaining('feline'))
  })

  it('searches words while the endpoint cannot be reached', async () => {
    await untilSearched()
    await server.close()
    expect((await search('The loaf is warm and fresh', 'hybrid')).mode_used).toBe('keyword')
  })
})
