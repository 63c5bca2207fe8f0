import { type Dispatcher, request } from 'undici'
import type { Clock, Resolver } from '../ports'
import { createGuardedAgent } from './guarded-agent'
import { readBounded } from './http-client'
import { hostProblem } from './networks'

const timeoutMs = 10_000
const maxBytes = 5 * 1024 * 1024
const maxRedirects = 4

/** Picture, and its type by content. */
export interface Picture {
  content: Uint8Array
  contentType: string
}

interface Bounds {
  clock: Clock
  /** Allows private addresses, for development. */
  allowPrivate: boolean
}

/** Ports of {@link fetchPicture}. */
export interface PicturePorts extends Bounds {
  resolver: Resolver
}

/** First bytes of the files of each type. Vector pictures are excluded: they refer to other files. */
const beginnings: Record<string, RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^474946383[79]61/,
  'image/webp': /^52494646.{8}57454250/,
}

/** Returns the type of picture bytes, regardless of the declared one; undefined if it is not supported. */
export function pictureType(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, 16)).toString('hex')
  return Object.keys(beginnings).find((type) => beginnings[type]!.test(start))
}

/** Returns the URL after the checks that need no network. @throws Error naming the problem */
function checked(text: string, from: URL | undefined, allowPrivate: boolean): URL {
  if (!URL.canParse(text, from?.href)) throw new Error('it is no URL')
  const url = new URL(text, from?.href)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('it is not on the web')
  if (url.username || url.password) throw new Error('its URL has a user name or a password')
  const problem = allowPrivate ? null : hostProblem(url)
  if (problem !== null) throw new Error(problem)
  if (!allowPrivate && url.port !== '') throw new Error(`port ${url.port} is not one of the web`)
  url.hash = ''
  return url
}

const tooLarge = () => new Error(`it is larger than ${maxBytes / 1024 / 1024} MB`)

async function follow(text: string, dispatcher: Dispatcher, allowPrivate: boolean, signal: AbortSignal) {
  let url = checked(text, undefined, allowPrivate)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await request(url, { dispatcher, signal, headers: { accept: 'image/*' } })
    answer.body.on('error', () => {}) // the reader of the body gets it
    if (answer.statusCode === 200) return readBounded(answer.body, maxBytes, tooLarge)
    answer.body.destroy()
    const { location } = answer.headers
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
      throw new Error(`the answer was ${answer.statusCode}`)
    url = checked(location, url, allowPrivate)
  }
  throw new Error('it is redirected too often')
}

/** Fetches a picture over connections that the caller guards. @throws Error if it cannot be fetched */
export async function fetchPictureBy(
  dispatcher: Dispatcher,
  { clock, allowPrivate }: Bounds,
  url: string,
  signal: AbortSignal,
): Promise<Picture> {
  const timeout = new AbortController()
  const cancel = clock.background(timeoutMs, () => timeout.abort(new Error('there was no answer in time')))
  try {
    const content = await follow(url, dispatcher, allowPrivate, AbortSignal.any([signal, timeout.signal]))
    const contentType = pictureType(content)
    if (!contentType) throw new Error('it is no PNG, JPEG, GIF or WebP')
    return { content, contentType }
  } finally {
    cancel()
  }
}

/**
 * Fetches a picture that a stranger's message refers to. Each address on the way must be on the public
 * internet. Requests reveal nothing of the reader, and the type is found by content, not by declaration.
 *
 * @throws Error if it cannot be fetched
 */
export async function fetchPicture(
  { resolver, ...bounds }: PicturePorts,
  url: string,
  signal: AbortSignal,
): Promise<Picture> {
  const dispatcher = createGuardedAgent({ resolver, allowPrivate: bounds.allowPrivate })
  try {
    return await fetchPictureBy(dispatcher, bounds, url, signal)
  } finally {
    void dispatcher.destroy()
  }
}
