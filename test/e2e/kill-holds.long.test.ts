import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/testing/virtual-clock'
import { Browser, secretOf } from '../support/console'
import { describeDatabases } from '../support/databases'
import { consumerOf, type Leased } from '../support/desk'
import { faultsIn, readLog } from '../support/hold-log'
import { seed } from '../support/seed'
import type { Answer } from '../support/service'
import { type ServiceProcess, startDev } from '../support/service-process'

const threads = 6
const rounds = 4
const stepsOfOperator = 25

/** Requests as the pages of the console make them, to a service in another process. */
const browserTo = (base: string) =>
  new Browser({
    fetch: async (request) => {
      const headers = new Headers(request.headers)
      if (headers.has('origin')) headers.set('origin', base)
      const body = request.method === 'GET' ? {} : { body: await request.text() }
      return fetch(request.url.replace('http://restante.test', base), {
        method: request.method,
        headers,
        ...body,
      })
    },
  })

/** The service as it is now: killed and started again, with its operator signed in anew. */
async function openDesk(options: object) {
  let service: ServiceProcess = await startDev(options)
  const { url, smtp, inbox_id, api_key } = service.facts
  const base = new URL(url).origin
  const browser = browserTo(base)
  const signIn = async () => {
    const { sign_in_url } = service.facts as { sign_in_url?: string }
    expect((await browser.sign('use-link', { token: secretOf(sign_in_url!) })).status).toBe(200)
  }
  await signIn()
  const call = async (method: string, path: string, { body }: { body?: unknown } = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${api_key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const { tenant_id } = (await call('GET', '/account')).body
  const asOperator = (method: string, path: string, body?: object) =>
    browser.ask(method, `/v1${path}`, body, { origin: base, 'restante-account': tenant_id })
  return {
    ...{ call, asOperator, browser, inboxId: inbox_id, tenantId: tenant_id as string },
    async killAndStart() {
      await service.end('SIGKILL')
      service = await startDev({ ...options, smtp, http: new URL(url).host })
      await signIn()
    },
  }
}

type Desk = Awaited<ReturnType<typeof openDesk>>

/** Runs a request that a kill may interrupt; null if no answer came. */
const tried = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)

/** Starts the conversations, or writes one more message into each; returns the ids of the messages. */
async function writeAll(desk: Desk, roots: string[]): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < threads; at++) {
    const mail = {
      ...{
        inbox_id: desk.inboxId,
        from: `person-${at}@example.com`,
        subject: `Talk ${at}`,
        text: `Hello ${ids.length}`,
      },
      ...(roots[at] !== undefined && { in_reply_to: roots[at] }),
    }
    const { body } = await desk.browser.call('POST', `/accounts/${desk.tenantId}/talk`, mail)
    roots[at] ??= body.id
    ids.push(body.id)
  }
  return ids
}

/** An agent: leases and answers until it is told to stop. */
async function work(
  desk: Desk,
  name: string,
  leased: Set<string>,
  isOver: () => boolean,
  random: () => number,
) {
  const bot = consumerOf(desk, 'bot')
  const answer = async (one: Leased) => {
    const { id } = one.message
    const choice = random()
    if (choice < 0.1) return bot.nack([one])
    if (choice < 0.2)
      return desk.call('POST', `/messages/${id}/hand-over`, {
        body: { reason: 'Too hard', consumer: 'bot', lease: one.lease },
      })
    const body = {
      ...{ text: `From ${name}.`, consumer: 'bot', client_id: `bot:${id}`, replay: 'first_wins' },
      ...(choice < 0.4 && { when_held: 'draft' }),
    }
    const sent = await desk.call('POST', `/messages/${id}/reply`, { body })
    return sent.body.error === 'thread_held' ? bot.release([one]) : bot.ack([one])
  }
  while (!isOver()) {
    const taken = await tried(desk.call('POST', '/consumers/bot/lease', { body: { max: 2, wait_ms: 300 } }))
    // The service may be starting again.
    if (!taken?.body?.deliveries) await new Promise(setImmediate)
    for (const one of (taken?.body?.deliveries ?? []) as Leased[]) {
      leased.add(one.message.id)
      await tried(answer(one))
    }
  }
}

const pick = <T>(list: readonly T[], random: () => number): T | undefined =>
  list[Math.floor(random() * list.length)]

/** Does one thing in a thread, as an operator at the console. */
async function actIn(desk: Desk, threadId: string, random: () => number): Promise<void> {
  const verb = (name: string, body?: object) => desk.asOperator('POST', `/threads/${threadId}/${name}`, body)
  const assign = (assignee: object | null) => verb('assign', { assignee })
  const present = (state: string) =>
    desk.asOperator('POST', `/console/accounts/${desk.tenantId}/threads/${threadId}/presence`, { state })
  const things = [
    () => verb('hold', {}),
    () => verb('hold', {}),
    () => verb('release'),
    () => verb('release'),
    () => assign({ kind: 'operator', id: 'me' }),
    () => assign({ kind: 'consumer', id: 'bot' }),
    () => assign(null),
    () => verb('close'),
    () => verb('reopen'),
    () => verb('snooze', { until: new Date(Date.now() + 2_000).toISOString() }),
    () => present('writing'),
    () => present('gone'),
  ]
  await pick(things, random)!()
}

/** An operator: holds, assigns, types, answers, closes, uses suggestions and releases at random. */
async function operate(desk: Desk, random: () => number): Promise<void> {
  for (let step = 0; step < stepsOfOperator; step++) {
    const listed = await tried(desk.asOperator('GET', '/threads?limit=100'))
    const one = pick((listed?.body?.threads ?? []) as { id: string }[], random)
    if (!one) continue
    const choice = random()
    if (choice < 0.65) await tried(actIn(desk, one.id, random))
    else if (choice < 0.85) {
      const list = `/messages?thread_id=${one.id}&direction=inbound&limit=1`
      const [last] = ((await tried(desk.asOperator('GET', list)))?.body?.messages ?? []) as { id: string }[]
      if (last) await tried(desk.asOperator('POST', `/messages/${last.id}/reply`, { text: 'By hand.' }))
    } else {
      const [draft] = ((await tried(desk.asOperator('GET', '/drafts?status=draft&suggestion=true')))?.body
        ?.drafts ?? []) as { id: string }[]
      if (draft) await tried(desk.asOperator('POST', `/drafts/${draft.id}/send`))
    }
  }
}

describe('S4: people and agents on the same threads, through kills of the service', () => {
  describeDatabases('no agent writes into a held thread, and no message is lost', (openDatabase) => {
    test('for several workers and operators', { timeout: 600_000 }, async () => {
      const database = await openDatabase('new')
      const random = seededRandom(seed)
      const desk = await openDesk(database.options)
      await desk.call('POST', '/consumers', { body: { name: 'bot' } })
      const given = new Set<string>()
      const leased = new Set<string>()
      const roots: string[] = []
      let isOver = false
      const workers = ['one', 'two', 'three'].map((name) => work(desk, name, leased, () => isOver, random))
      for (let round = 0; round < rounds; round++) {
        for (const id of await writeAll(desk, roots)) given.add(id)
        const operators = [operate(desk, random), operate(desk, random)]
        await operators[0]
        await desk.killAndStart()
        await Promise.all(operators)
      }
      // All is released, and the workers finish what is left.
      for (let waiting = 1; waiting > 0; ) {
        for (const { id } of (await desk.asOperator('GET', '/threads?limit=100')).body.threads) {
          await desk.asOperator('POST', `/threads/${id}/release`)
          await desk.asOperator('POST', `/console/accounts/${desk.tenantId}/threads/${id}/presence`, {
            state: 'gone',
          })
        }
        const state = (await desk.call('GET', '/consumers/bot')).body
        if (state.dead > 0) await desk.call('POST', '/consumers/bot/redrive', { body: {} })
        waiting = state.waiting + state.leased + state.dead
      }
      isOver = true
      await Promise.all(workers)
      expect(faultsIn(await readLog(desk, 0), given, leased)).toEqual([])
      await database.drop()
    })
  })
})
