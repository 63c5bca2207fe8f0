import { Mailbox, type Message } from 'restante'
import type { ServiceLike } from '../../../src/client/client'
import { openService } from '../../support/service'
import { FakeClock } from './fake-clock'

/** Requests that do not get through, or whose answers do not: those whose method and path match. */
interface Faults {
  before: RegExp | null
  after: RegExp | null
  /** Answers that arrive later. */
  held: { what: RegExp; until: Promise<void> } | null
}

/** A service with a clock that the test owns, and mailboxes on it that share the clock. */
export const openConsuming = async () => {
  const clock = new FakeClock()
  const real = await openService({}, { clock })
  const mailboxes: Mailbox[] = []
  const requests: string[] = []
  const faults: Faults = { before: null, after: null, held: null }
  const service: ServiceLike = {
    home: () => real.service.home(),
    socket: (options) => real.service.socket(options),
    fetch: async (request) => {
      const what = `${request.method} ${new URL(request.url).pathname.slice('/v1'.length)}`
      requests.push(what)
      if (faults.before?.test(what)) throw new TypeError('fetch failed')
      const response = await real.service.fetch(request)
      if (faults.held?.what.test(what)) await faults.held.until
      if (faults.after?.test(what)) throw new TypeError('fetch failed')
      return response
    },
  }
  /** Another process, as it were. */
  const open = async () => {
    const mailbox = await Mailbox.open({ service, clock, source: 'socket' })
    mailboxes.push(mailbox)
    return mailbox
  }
  /** Brings mails in; those of the same subject before the colon are one conversation. */
  const mail = async (...subjects: string[]) => {
    for (const subject of subjects) {
      const [root] = subject.split(':')
      const messageId = `<${subject}@example.com>`
      const references = subject === root ? [] : [`<${root}@example.com>`]
      await real.mail({ subject, text: subject, messageId, references })
    }
  }
  const state = async (name = 'bot') => {
    const { waiting, leased, dead } = (await real.call('GET', `/consumers/${name}`)).body
    return { waiting, leased, dead }
  }
  const sent = async () => {
    const { messages } = (await real.call('GET', '/messages?direction=outbound&limit=100')).body
    return messages as Message['record'][]
  }
  return {
    ...{ real, clock, faults, requests, open, mail, state, sent },
    mailbox: await open(),
    [Symbol.asyncDispose]: async () => {
      faults.before = null
      faults.after = null
      faults.held = null
      for (const mailbox of mailboxes) await mailbox.close()
      await real[Symbol.asyncDispose]()
    },
  }
}

/** Waits until something is so, however many turns of the loop, and of the database, it takes. */
export const eventually = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const endsAt = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`never so: ${condition}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
