import { expect } from 'vitest'
import type { TestAccount } from './accounts'
import { Browser, secretOf } from './console'
import type { Answer, QuietService } from './service'

/** A message that was leased, as tests look at it. */
export interface Leased {
  lease: string
  attempt: number
  handed_back: boolean
  message: { id: string; subject: string; thread_id: string }
}

/** The calls of a consumer of an account, with its key. */
export function consumerOf(account: Pick<TestAccount, 'call'>, name = 'bot') {
  const post = async (verb: string, body: object): Promise<Answer['body']> => {
    const answer = await account.call('POST', `/consumers/${name}/${verb}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const onLeases = (verb: string) => (deliveries: readonly Leased[]) =>
    post(verb, { leases: deliveries.map((one) => one.lease) })
  return {
    create: () => account.call('POST', '/consumers', { body: { name } }),
    lease: async (max = 10): Promise<Leased[]> => (await post('lease', { max })).deliveries,
    ack: onLeases('ack'),
    nack: onLeases('nack'),
    release: onLeases('release'),
    extend: onLeases('extend'),
    redrive: (body: object = {}) => post('redrive', body),
    state: async () => (await account.call('GET', `/consumers/${name}`)).body,
  }
}

/** The owner of the service at the console: calls operations of agents for the home account. */
export async function ownerOf({ service, home }: QuietService) {
  const browser = new Browser(service)
  await browser.sign('use-link', { token: secretOf(service.ownerLink()) })
  const { operator } = (await browser.ask('GET', '/console/auth/session')).body
  return {
    browser,
    sender: { kind: 'operator', id: operator.id as string, name: 'Owner of this service' },
    call: (method: string, path: string, body?: object): Promise<Answer> =>
      browser.ask(method, `/v1${path}`, body, {
        origin: 'http://restante.test',
        'restante-account': home.tenantId,
      }),
  }
}

export type Owner = Awaited<ReturnType<typeof ownerOf>>
