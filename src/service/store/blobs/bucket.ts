import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { newUuid } from '../../base/ids'
import { noContent, type S3Keys, s3Path, signS3 } from '../../net/sign-s3'

/** A bucket of any S3-compatible service. */
export interface BucketPlace extends S3Keys {
  bucket: string
  /** Prefix of all object names; empty, or ending in `/`. */
  prefix: string
  /** Base URL of a server other than AWS. */
  endpoint?: string | undefined
}

/** Time limits of a request; only tests set them. */
export interface BucketTimes {
  /** Time in ms in which an answer must be complete. */
  timeoutMs: number
  /** Time in ms during which a failure is retried, at first after the pause. */
  retryForMs: number
  pauseMs: number
}

const usualTimes: BucketTimes = { timeoutMs: 20_000, retryForMs: 10_000, pauseMs: 100 }

/** The bucket is unavailable; `status` is its answer, if there was one. The code is that of an outage. */
export class BucketError extends Error {
  readonly code = 'BUCKET_UNAVAILABLE'
  readonly status: number | undefined
  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options)
    this.status = options.status
  }
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Objects of one bucket, by name. @throws BucketError from each method, if the bucket is unavailable */
export interface Bucket {
  /** Resolves once the server has the whole object, and has checked it against its SHA-256. */
  put(name: string, content: Uint8Array, contentHash: string): Promise<void>
  /** Null if there is none. */
  get(name: string): Promise<Buffer | null>
  /** Returns the age of an object in ms, by the server's own clock, to the second; null if there is none. */
  ageMs(name: string): Promise<number | null>
  delete(name: string): Promise<void>
}

/** Statuses that may pass soon. */
const passing = new Set([408, 429, 500, 502, 503, 504])
/**
 * Statuses of an answer that did nothing. Only a refused DELETE is repeated: one without an answer may yet be
 * carried out, after the object was written again.
 */
const untouched = new Set([429, 503])
const mayRepeat = (method: string, status: number | undefined) =>
  method === 'DELETE' ? untouched.has(status ?? 0) : status === undefined || passing.has(status)

/**
 * Returns the URL of an object. The bucket is in the path, except at AWS, whose certificates cover bucket
 * names without dots.
 */
function addressOf({ bucket, endpoint, region, prefix }: BucketPlace, name: string): URL {
  const aws = `s3.${region}.amazonaws.com`
  const isHost = endpoint === undefined && !bucket.includes('.')
  const base = isHost ? `https://${bucket}.${aws}` : `${endpoint ?? `https://${aws}`}/${bucket}`
  return new URL(`${base}/${s3Path(`${prefix}${name}`)}`)
}

/** Returns the code of a refusal. */
const codeOf = (body: Buffer): string =>
  /<Code>(\w{1,80})<\/Code>/.exec(body.toString('latin1', 0, 2_000))?.[1] ?? ''

type Asked = [method: string, name: string, content?: Uint8Array, contentHash?: string]

class S3Bucket implements Bucket {
  readonly #place: BucketPlace
  readonly #times
  readonly #agent = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 0, bodyTimeout: 0 })

  constructor(place: BucketPlace, times: BucketTimes = usualTimes) {
    this.#place = place
    this.#times = times
  }

  readonly put: Bucket['put'] = async (name, content, contentHash) => {
    const { status } = await this.#ask('PUT', name, content, contentHash)
    if (status === 404) throw new BucketError(`there is no bucket ${this.#place.bucket}`, { status })
  }

  readonly get: Bucket['get'] = async (name) => {
    const { status, body } = await this.#ask('GET', name)
    if (status !== 404) return body
    // A missing bucket, or a proxy's 404, says nothing about the object.
    const why = codeOf(body)
    if (why === 'NoSuchKey') return null
    throw new BucketError(`the bucket ${this.#place.bucket} answered GET ${name} with 404 ${why}`.trim(), {
      status,
    })
  }

  readonly ageMs: Bucket['ageMs'] = async (name) => {
    const { status, headers } = await this.#ask('HEAD', name)
    if (status === 404) return null
    const [now, written] = [headers.date, headers['last-modified']].map((one) => Date.parse(String(one)))
    if (Number.isNaN(now! - written!)) throw new BucketError(`the bucket does not say how old ${name} is`)
    return Math.max(0, now! - written!)
  }

  readonly delete: Bucket['delete'] = async (name) => {
    await this.#ask('DELETE', name)
  }

  async #askOnce(...[method, name, content, contentHash = noContent]: Asked) {
    const url = addressOf(this.#place, name)
    const headers = signS3({ method, url, contentHash }, this.#place, Date.now())
    const signal = AbortSignal.timeout(this.#times.timeoutMs)
    const answer = await request(url, {
      method: method as 'GET',
      headers,
      body: content && Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      dispatcher: this.#agent,
      // Swift sends the end of a body after a HEAD answer, which has none: the connection cannot be reused.
      reset: method === 'HEAD',
      signal,
    })
    const body = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers, body } satisfies Answer
  }

  async #attempt(...asked: Asked): Promise<Answer> {
    const [method, name] = asked
    const answer = await this.#askOnce(...asked).catch((cause) => {
      throw new BucketError(
        `the bucket ${this.#place.bucket} cannot be reached (${(cause as Error).message})`,
        {
          cause,
        },
      )
    })
    const { status, body } = answer
    if (status < 300 || status === 404) return answer
    const why = codeOf(body)
    throw new BucketError(
      `the bucket ${this.#place.bucket} answered ${method} ${name} with ${status} ${why}`.trim(),
      {
        status,
      },
    )
  }

  async #ask(...asked: Asked): Promise<Answer> {
    const untilMs = performance.now() + this.#times.retryForMs
    for (let waitMs = this.#times.pauseMs; ; waitMs *= 2) {
      try {
        return await this.#attempt(...asked)
      } catch (error) {
        if (!mayRepeat(asked[0], (error as BucketError).status) || performance.now() + waitMs > untilMs)
          throw error
        await pause(waitMs)
      }
    }
  }
}

/** Opens a bucket, without a request. */
export const openBucket = (place: BucketPlace, times: BucketTimes = usualTimes): Bucket =>
  new S3Bucket(place, times)

/**
 * Writes an object, reads it, reads a missing one, and deletes the written one.
 *
 * @throws BucketError
 */
export async function probeBucket(bucket: Bucket): Promise<void> {
  const name = `probe-${newUuid(Date.now())}`
  await bucket.put(name, new Uint8Array(), noContent)
  if ((await bucket.get(name)) === null)
    throw new BucketError(`the bucket does not give back ${name}, which it took`, { status: 404 })
  // Blobs that are not moved yet are first read from the bucket: without the right to list, AWS answers 403.
  await Promise.all([bucket.get(`${name}-missing`), bucket.ageMs(`${name}-missing`)])
  await bucket.delete(name)
}
