import { setTimeout } from 'node:timers/promises'
import pRetry, { AbortError } from 'p-retry'
import { type Dispatcher, request } from 'undici'
import * as z from 'zod'
import type { Embedder } from '../../ports'
import type { Embedders } from './embedders'

/** An endpoint with OpenAI's embeddings API, as most model servers have. */
export interface EndpointSettings {
  /** Base URL, which ends in `/v1`. */
  url: string
  key?: string | undefined
  model: string
}

const timeoutMs = 60_000
const maxTexts = 64
/** Maximum characters in a request; servers refuse much larger ones. */
const maxCharacters = 100_000
const retries = 4
/** Maximum Retry-After in ms; after a longer one, the job's next attempt asks again. */
const maxWaitMs = 30_000

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).min(1) })),
})

/** An answer that another attempt may improve. */
class TryAgain extends Error {
  readonly afterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** Returns a name of endpoint and model, without secrets. */
const idOf = ({ url, model }: EndpointSettings) => `${model} at ${url.replace(/\/\/[^@/]*@/, '//')}`

const retryAfterMs = (header: string | string[] | undefined): number => {
  const seconds = Number(header)
  return Number.isFinite(seconds) && header !== undefined ? seconds * 1_000 : 0
}

/** Splits a list into parts for one request each. */
function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = batches.at(-1)
    characters += text.length
    if (last && last.length < maxTexts && characters <= maxCharacters) last.push(text)
    else {
      batches.push([text])
      characters = text.length
    }
  }
  return batches
}

/** A request for the vectors of some texts. */
interface Asked {
  readonly model: string
  readonly input: readonly string[]
  readonly signal: AbortSignal
}

async function ask(settings: EndpointSettings, dispatcher: Dispatcher, { model, input, signal }: Asked) {
  const { statusCode, headers, body } = await request(`${settings.url}/embeddings`, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      ...(settings.key && { authorization: `Bearer ${settings.key}` }),
    },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
  })
  if (statusCode === 429 || statusCode >= 500) {
    await body.dump()
    throw new TryAgain(
      `The endpoint of embeddings answered ${statusCode}.`,
      retryAfterMs(headers['retry-after']),
    )
  }
  const text = await body.text()
  if (statusCode !== 200)
    throw new AbortError(
      `The embeddings endpoint answered ${statusCode}: ${text.slice(0, 300)} Check RESTANTE_EMBEDDINGS_URL, _KEY and _MODEL.`,
    )
  return read(text, input.length)
}

/** Reads the vectors of an answer, in the order of the texts. */
function read(text: string, count: number): number[][] {
  const answer = answerSchema.safeParse(JSON.parse(text))
  if (!answer.success || answer.data.data.length !== count)
    throw new AbortError(
      'The embeddings endpoint did not return one vector for each text. RESTANTE_EMBEDDINGS_URL must name a server with the API of OpenAI’s /v1/embeddings.',
    )
  const data = answer.data.data.map((one, i) => ({ ...one, index: one.index ?? i }))
  return data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
}

/**
 * Creates an endpoint from its settings.
 *
 * @param dispatcher Its connections.
 */
export function createEndpoint(settings: EndpointSettings, dispatcher: Dispatcher): Embedders {
  const askAgain = ({ signal, ...asked }: Asked, attempts: number) => {
    const attempt = () => AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    return pRetry(() => ask(settings, dispatcher, { ...asked, signal: attempt() }), {
      retries: attempts,
      signal,
      minTimeout: 500,
      async onFailedAttempt(failed) {
        const error = failed.error
        if (!(error instanceof TryAgain) || error.afterMs === 0) return
        if (error.afterMs > maxWaitMs) throw error
        await setTimeout(error.afterMs, undefined, { signal, ref: false })
      },
    })
  }

  const embedderFor = (model: string): Embedder => ({
    id: idOf({ ...settings, model }),
    async embed(texts, kind, signal) {
      const embedded: number[][] = []
      // Some servers refuse an empty text.
      const given = texts.map((text) => text.trim() || '-')
      for (const input of inBatches(given))
        embedded.push(...(await askAgain({ model, input, signal }, kind === 'query' ? 1 : retries)))
      return embedded
    },
  })

  const id = idOf(settings)
  return {
    id,
    isBuiltIn: false,
    embedder(asked) {
      const model = asked.slice(0, asked.lastIndexOf(' at '))
      return asked === idOf({ ...settings, model }) ? embedderFor(model) : undefined
    },
  }
}
