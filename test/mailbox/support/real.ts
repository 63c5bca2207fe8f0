import { Mailbox, type Message } from 'restante'
import type { ServiceOptions } from 'restante/service'
import type { ServiceLike } from '../../../src/client/client'
import { systemClock } from '../../../src/protocol/time/clock'
import { openService } from '../../support/service'

/** Waits between attempts are over at once; limits on time stay. */
const hurried = {
  ...systemClock,
  after: (delayMs: number, callback: () => void) =>
    systemClock.after(delayMs < 5_000 ? Math.min(1, delayMs) : delayMs, callback),
}

/** A service that loses the answer to each change the first time that it is asked for, after it was carried out. */
class LossyService implements ServiceLike {
  readonly #service: ServiceLike
  readonly #asked = new Set<string>()
  /** Method and path of each request, with `!` where its answer got lost. */
  readonly requests: string[] = []
  lossy = false

  constructor(service: ServiceLike) {
    this.#service = service
  }

  home() {
    return this.#service.home()
  }

  socket(options: { apiKey: string }) {
    return this.#service.socket(options)
  }

  async fetch(request: Request): Promise<Response> {
    const what = `${request.method} ${new URL(request.url).pathname.slice('/v1'.length)}`
    const key = `${what} ${await request.clone().text()}`
    const response = await this.#service.fetch(request)
    const isLost = this.lossy && request.method !== 'GET' && !this.#asked.has(key)
    this.#asked.add(key)
    this.requests.push(isLost ? `${what} !` : what)
    if (isLost) throw new TypeError('fetch failed')
    return response
  }
}

/** A mailbox on a service in this process, whose answers can get lost. */
export const openReal = async (options: ServiceOptions = {}) => {
  const real = await openService(options)
  const service = new LossyService(real.service)
  const mailbox = await Mailbox.open({ service, clock: hurried })
  /** Lets a mail come in, and gives it as a loop does. */
  const receive = async (mail: Parameters<typeof real.mail>[0] = {}): Promise<Message> => {
    await using loop = mailbox.incoming({ unanswerable: true })
    await real.mail(mail)
    return (await loop.next()).value as Message
  }
  const sentMail = async () => (await mailbox.messages.list({ direction: 'outbound', limit: 100 })).items
  return {
    ...{ real, service, mailbox, receive, sentMail },
    [Symbol.asyncDispose]: async () => {
      await mailbox.close()
      await real[Symbol.asyncDispose]()
    },
  }
}
