import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeDatabases, type TestDatabase } from '../../support/databases'
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
  readonly #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const { model, input } = JSON.parse(body) as Asked
      const status = this.refusals.shift()
      if (status)
        return response.writeHead(status, { 'retry-after': '0' }).end('{"error":{"message":"not now"}}')
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
  const start = async (embeddingsModel: string) => {
    service = await openService({
      ...database.options,
      embeddingsUrl,
      embeddingsKey: 'sk-1',
      embeddingsModel,
    })
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
  const untilSearched = () =>
    expect.poll(async () => (await search('boat')).mode_used, { timeout: 20_000 }).toBe('semantic')

  it('finds the mail that the model finds near, with the key and the model of the settings', async () => {
    await untilSearched()
    expect(await first('boat')).toContain('vessel')
    expect(await first('pet')).toContain('feline')
    expect((await search('bakery', 'hybrid')).mode_used).toBe('hybrid')
    expect(new Set(server.asked.map(({ model }) => model))).toEqual(new Set(['small']))
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sk-1']))
    const documents = server.asked.flatMap(({ input }) => input).filter((text) => text.includes('feline'))
    expect(documents.length).toBe(1)
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
      .poll(
        async () => {
          // Without a pause: there is always one model that answers.
          expect((await search('boat')).mode_used).toBe('semantic')
          expect(await first('boat')).toContain('vessel')
          return server.asked.some(({ model, input }) => model === 'large' && input[0] === 'boat')
        },
        { timeout: 20_000 },
      )
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
