import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../support/service'

const run = promisify(execFile)

describe('what is public', () => {
  let service: TestService
  const get = (path: string) => service.service.fetch(new Request(new URL(path, service.url)))
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('llms.txt has commands that work, from the signup on', async () => {
    const answer = await get('/llms.txt')
    expect(answer.headers.get('cache-control')).toMatch(/^public/)
    const blocks = [...(await answer.text()).matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text!)
    const environment: NodeJS.ProcessEnv = { ...process.env }
    const runBlock = async (text: string) => {
      const answers = []
      for (const command of text.trim().split('\n')) {
        const { stdout } = await run('bash', ['-c', `${setUp}\n${command}`], { env: environment })
        if (command.startsWith('export')) setUp = command
        else answers.push(JSON.parse(stdout))
      }
      return answers
    }
    let setUp = ''
    const [signup, account, events, read, write] = blocks
    const [made] = await runBlock(signup!)
    expect(made.inbox.address).toContain('@')
    environment.RESTANTE_API_KEY = made.api_key
    expect(await runBlock(account!)).toMatchObject([{ sending_status: 'unclaimed' }])
    await service.mail({ to: made.inbox.address })
    const [end, page] = await runBlock(events!)
    expect(end.to).toBe(page.head)
    environment.MESSAGE_ID = page.events[0].data.id
    const [list, message] = await runBlock(read!)
    expect(list.messages).toHaveLength(1)
    expect(message.body_text).toBe('Hi\n')
    for (const refused of await runBlock(write!)) expect(refused.error).toBe('claim_required')
    environment.RESTANTE_API_KEY = service.home.apiKey
    await service.mail({ subject: 'for home' })
    environment.MESSAGE_ID = (await service.call('GET', '/messages')).body.messages[0].id
    for (const sent of await runBlock(write!)) expect(sent).toMatchObject({ idempotent: false })
  })

  it('the reference has every operation, a command for each, and nothing that runs', async () => {
    const answer = await get('/reference')
    const page = await answer.text()
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(
      /<script|<link|\son\w+=|https?:\/\/(?!127\.0\.0\.1|example\.com)[^<&]*\.(js|css)/,
    )
    const { paths, webhooks } = (await service.call('GET', '/openapi.json', { key: null })).body
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods as object).map((operation: { operationId: string }) => operation.operationId),
    )
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(anchors).size).toBe(anchors.length)
    expect(anchors).toEqual(
      expect.arrayContaining([...ids, ...Object.keys(webhooks).map((type) => `event.${type}`)]),
    )
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target)
    expect(page.match(/curl -X/g)).toHaveLength(ids.length)
  })
})
