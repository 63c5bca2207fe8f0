import { isServiceError } from '../../../protocol/errors/error'
import type { InboundAnswer } from '../../../protocol/records/inbound/delivery'
import type { InboundProvider } from '../../../protocol/records/inbound/provider'
import { maxRecipients } from '../../../protocol/records/upload-limit'
import { authenticateById, type KeyOfProvider, noteRefusal } from '../../accounts/keys'
import { boundedMap } from '../../base/bounded-map'
import { refuse, refuseForNow } from '../../base/refuse'
import { sha256 } from '../../base/secrets'
import { minuteMs } from '../../base/time'
import { holdToken } from '../deliveries'
import type { InboundPorts } from '../ports'
import type { MemoryBudget } from '../smtp/message-buffer'
import { shareOf, withBody } from './body'
import { type InboundEndpoint, isPassing } from './endpoint'
import {
  BadSignature,
  type FetchBytes,
  maxFormBytes,
  NotMail,
  type PostedEnvelope,
  type Provider,
  type ProviderHead,
  type ProviderKey,
  type ProviderMail,
} from './providers/provider'
import { providerAt, providers } from './providers/providers'

/** Maximum bytes of all bodies whose headers do not prove a provider: anyone can send them. */
const maxStrangerBytes = 2 * maxFormBytes
const maxKeys = 1_000
const retryMs = minuteMs
const addressForm = /^[^\s\p{Cc}\p{Cs}]{1,254}@[^\s@\p{Cc}\p{Cs}]+$/u

/** Same refusal for an unknown key, a wrong signature and a wrong secret; the provider tries again. */
const notSigned = () =>
  refuse(
    'signature_invalid',
    'Nothing shows that the provider of this key sent this: the key and its secret must be those of the provider.',
    undefined,
    retryMs,
  )

/** Dependencies of the endpoint for providers. */
interface PostParts {
  ports: InboundPorts
  deliver: InboundEndpoint['deliver']
  budget: MemoryBudget
  fetchBytes: FetchBytes
}

class ProviderEndpoint implements Pick<InboundEndpoint, 'post'> {
  readonly #ports
  readonly #deliver
  readonly #budget
  readonly #fetchBytes
  readonly #logged
  readonly #strangers: MemoryBudget = { maxBytes: maxStrangerBytes, usedBytes: 0 }
  readonly #shares

  constructor({ ports, deliver, budget, fetchBytes }: PostParts) {
    this.#ports = ports
    this.#deliver = deliver
    this.#budget = budget
    this.#fetchBytes = fetchBytes
    this.#logged = boundedMap<true>(maxKeys, minuteMs)
    this.#shares = boundedMap<MemoryBudget>(maxKeys)
  }

  readonly post: Pick<InboundEndpoint, 'post'>['post'] = async (keyId, path, request) => {
    const key = await authenticateById(this.#ports, keyId)
    if (!key || key.provider !== providerAt(path)) throw notSigned()
    const { provider, its } = this.#open(key)
    const { headers, url } = request
    const head: ProviderHead = { headers, query: new URL(url).searchParams, nowMs: this.#ports.clock.now() }
    const isKnown = await this.#checked(key, () => provider.admit?.(head, its) ?? false)
    const { maxBytes } = provider
    const bounds = isKnown
      ? { maxBytes, budget: this.#budget }
      : { maxBytes, budget: this.#budgetOf(key), clock: this.#ports.clock }
    return withBody(request, bounds, async (bytes) => {
      const body = Buffer.from(bytes.buffer)
      const mails = await this.#checked(key, () =>
        provider.read({ ...head, body }, its, { fetchBytes: this.#fetchBytes, parser: this.#ports.parser }),
      )
      this.#ports.keyUses.note(key.keyHash)
      const answers: InboundAnswer[] = []
      for (const mail of mails) answers.push(await this.#take(key, mail))
      return joined(answers)
    })
  }

  /** Returns the budget for unproven bodies at one key, so that they cannot block other keys. */
  #budgetOf({ keyId }: KeyOfProvider): MemoryBudget {
    const share = this.#shares.get(keyId) ?? shareOf(this.#strangers, maxFormBytes)
    this.#shares.set(keyId, share)
    return share
  }

  /**
   * Reports to the owner of a key why its provider was refused. At most once a minute, since anyone may post.
   */
  async #tell(key: KeyOfProvider, reason: string, error?: unknown): Promise<void> {
    if (this.#logged.has(key.keyId)) return
    this.#logged.set(key.keyId, true)
    const { keyId, provider } = key
    const about = { key: keyId, provider, reason, error }
    this.#ports.logger[error ? 'error' : 'warn'](about, 'mail of a provider was refused, and is sent again')
    await noteRefusal(this.#ports, key, reason)
  }

  #secretOf(key: KeyOfProvider): { secret: InboundProvider; apiKey: string | null } {
    const sealed = this.#ports.secrets.open('inbound provider', key.keyId, key.providerSecret)
    if (sealed) return JSON.parse(sealed.toString())
    this.#ports.logger.error(
      { key: key.keyId },
      'the secret of a provider cannot be opened: add the secret that it was made under to RESTANTE_SECRET',
    )
    throw refuseForNow('The secret of this key cannot be opened.', retryMs, 'unavailable')
  }

  /** Opens the secrets that verify requests under a key, and the provider. */
  #open(key: KeyOfProvider): { provider: Provider; its: ProviderKey } {
    const { secret, apiKey } = this.#secretOf(key)
    const isApiKey = (text: string) => sha256(text) === key.keyHash
    return { provider: providers[secret.type] as Provider, its: { secret, apiKey, isApiKey } }
  }

  /**
   * Runs a check of a provider. If it fails, reports it to the owner of the key; the provider tries again.
   */
  async #checked<T>(key: KeyOfProvider, check: () => T | Promise<T>): Promise<T> {
    try {
      return await check()
    } catch (error) {
      const { message } = error as Error
      const isKnown = error instanceof BadSignature || error instanceof NotMail
      await this.#tell(key, message.slice(0, 300), isKnown ? undefined : error)
      if (error instanceof BadSignature) throw notSigned()
      throw refuseForNow(`The mail could not be read: ${message.slice(0, 300)}.`, retryMs, 'unavailable')
    }
  }

  /**
   * Delivers to some recipients. The answer includes permanent refusals, so that the provider does not retry.
   */
  async #deliverTo(
    to: readonly string[],
    key: KeyOfProvider,
    posted: PostedEnvelope,
    raw: Buffer,
  ): Promise<InboundAnswer> {
    try {
      return await this.#deliver(key, { ...posted, to }, new Uint8Array(raw))
    } catch (error) {
      if (!isServiceError(error) || error.status >= 500 || error.code === 'idempotency_key_reused')
        throw error
      const { code, message, retryAfterMs } = error
      // Some providers drop a message after a 4xx answer.
      if (isPassing(error)) throw refuseForNow(message, retryAfterMs ?? retryMs, 'unavailable')
      this.#ports.logger.warn({ key: key.keyId, error: code }, 'mail of a provider was refused for good')
      return {
        messages: [],
        refused: to.map((one) => ({ to: one, error: code, message })),
        idempotent: false,
      }
    }
  }

  /** Accepts a message for all its recipients, in batches. */
  async #take(key: KeyOfProvider, { raw, token, ...posted }: ProviderMail): Promise<InboundAnswer> {
    const named = [...new Set([posted.to].flat().map(String))]
    const to = named.filter((one) => addressForm.test(one))
    const from = String(posted.from)
      .replace(/[\p{Cc}\p{Cs}]/gu, '')
      .slice(0, 320)
    if (to.length === 0) {
      await this.#tell(key, 'it names no recipient with an address')
      throw refuseForNow('It names no recipient with an address.', retryMs, 'unavailable')
    }
    const refused = named.filter((one) => !addressForm.test(one)).map(notAddress)
    const answers: InboundAnswer[] = []
    try {
      if (token !== undefined) await holdToken(this.#ports, key, token, raw)
      for (let at = 0; at < to.length; at += maxRecipients)
        answers.push(
          await this.#deliverTo(to.slice(at, at + maxRecipients), key, { ...posted, from, isCut: true }, raw),
        )
    } catch (error) {
      if (!isServiceError(error, 'idempotency_key_reused')) throw error
      await this.#tell(key, 'its token was used for another mail, or the mail was changed')
      throw notSigned()
    }
    const { refused: more, ...taken } = joined(answers)
    return { ...taken, refused: [...refused, ...more] }
  }
}

/** Creates the endpoint for providers, which verifies their requests and extracts the messages. */
export const createProviderEndpoint = (options: PostParts): Pick<InboundEndpoint, 'post'> =>
  new ProviderEndpoint(options)

const joined = (answers: readonly InboundAnswer[]): InboundAnswer => ({
  messages: answers.flatMap(({ messages }) => messages),
  refused: answers.flatMap(({ refused }) => refused),
  idempotent: answers.length > 0 && answers.every(({ idempotent }) => idempotent),
})

const notAddress = (to: string) => ({
  to: to.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 320),
  error: 'invalid_request',
  message: 'It is not an address.',
})
