import { createService, type ServiceOptions } from 'restante/service'
import { describe, expect, it } from 'vitest'

const refused = (options: object) =>
  expect(createService({ log: 'silent', ...options } as ServiceOptions)).rejects
const claimLink = async (options: ServiceOptions) => {
  await using service = await createService({ log: 'silent', ...options })
  const headers = { 'idempotency-key': 's'.repeat(43), 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: '{}' }
  const answer = await service.fetch(new Request('http://restante.test/v1/agent-signups', request))
  const { claim_url } = (await answer.json()) as { claim_url: string }
  const { pathname } = new URL(claim_url)
  const page = await service.fetch(new Request(`http://restante.test${pathname}`))
  return { claim_url, status: page.status }
}

it('a port in use is refused with its remedy, for a program too', async () => {
  await using first = await createService({ log: 'silent', http: '127.0.0.1:0', smtp: 'off' })
  const { url } = await first.listen()
  const http = new URL(url).host
  await using second = await createService({ log: 'silent', http, smtp: 'off' })
  await expect(second.listen()).rejects.toMatchObject({
    name: 'UsageError',
    code: 'port_unavailable',
    message: expect.stringMatching(
      /^Port \d+ on 127\.0\.0\.1 is in use\. .* the option http of createService\(\)/,
    ),
  })
})

describe('settings', () => {
  it.each([
    ['signup', 'maybe', 'signup (--signup, RESTANTE_SIGNUP) must be true or false'],
    ['checkSenders', '1', 'checkSenders (--check-senders, RESTANTE_CHECK_SENDERS) must be true or false'],
    ['log', 'loud', 'log (--log, RESTANTE_LOG) must be debug, info, warn, error or silent'],
    ['keepEventsDays', 'some', 'must be a number of days'],
    ['keepEventsDays', '0', 'must be at least 1'],
    [
      'data',
      ':memory:',
      'data (--data, RESTANTE_DATA) must be a folder: createService without one keeps all in memory',
    ],
    ['smtpConnections', 'many', 'must be a whole number'],
    ['publicUrl', 'mail.example.com', 'must be an http or https URL'],
    ['publicUrl', 'https://mail.example.com/?a=b', 'must be an http or https URL without ? and #'],
  ])('refuse %s %j in words that say what is taken', async (name, value, words) => {
    await refused({ [name]: value }).toThrow(words)
  })

  it.each([
    ['http://restante.test/desk', {}],
    ['http://restante.test', {}],
    ['http://restante.test/ops/console', {}],
    ['http://restante.test/console/claim', {}],
    ['http://restante.test/other/console', { publicUrl: 'http://restante.test/mail' }],
  ])('refuse %s as the address of the console, where there would be no page', async (consoleUrl, others) => {
    await refused({ consoleUrl, ...others }).toThrow(
      /consoleUrl \(--console-url, RESTANTE_CONSOLE_URL\) must be .* such as http:\/\/restante\.test(\/mail)?\/console: /,
    )
  })

  it.each(['https://console.example.com/console', 'https://console.example.com/console/'])(
    'take %s as the address of the console, whose pages claim links lead to',
    async (consoleUrl) => {
      const { claim_url, status } = await claimLink({ consoleUrl })
      expect(claim_url).toMatch(/^https:\/\/console\.example\.com\/console\/claim#token=/)
      expect(status).toBe(200)
    },
  )

  it('take a public address with /v1, and lead claim links below its path', async () => {
    const mail = 'https://example.com/mail'
    for (const publicUrl of [`${mail}/v1`, `${mail}/`])
      expect((await claimLink({ publicUrl })).claim_url).toMatch(
        /^https:\/\/example\.com\/mail\/console\/claim#token=/,
      )
    expect((await claimLink({ publicUrl: mail, consoleUrl: `${mail}/console` })).claim_url).toContain(mail)
  })
})
