import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectMcp, type Era, eras } from '../support/mcp-client'
import { startService } from '../support/service'
import { cli, cliPath, runCli, temporaryFolder } from './support/cli'

/** The messages of a client, one on a line. */
const requests = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'account_status', arguments: {} } },
]
const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')

/** A service, and a client that starts `restante mcp` on it. */
const openStdio = async (era: Era, flags: string[] = []) => {
  const running = await startService()
  const { home } = running
  const env = { RESTANTE_URL: running.url.replace(/\/v1$/, ''), RESTANTE_API_KEY: home.apiKey }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, 'mcp', ...flags],
    env,
    stderr: 'ignore',
  })
  const connected = await connectMcp(transport, era)
  onTestFinished(async () => {
    await connected.client.close()
    await running[Symbol.asyncDispose]()
  })
  return { ...running, ...connected, env }
}

describe.each(eras)('restante mcp, revision $revision', (era) => {
  it('gives a mailbox to a client that starts it', async () => {
    const { client, mail, home, follow, heard, call, read } = await openStdio(era)
    expect(client.getServerVersion()).toMatchObject({
      name: 'restante',
      version: expect.stringMatching(/^\d/),
    })
    expect((await client.listTools()).tools).toHaveLength(19)
    await follow('restante://inbox')
    await mail({ subject: 'Bicycle', text: 'Is it blue?' })
    await expect.poll(() => heard).toContain('restante://inbox')
    const listed = await read('restante://inbox')
    expect(listed).toContain('subject "Bicycle"')
    const [message] = /m\d+-\w{3}(?=;)/.exec(listed)!
    expect((await call('read_thread', { thread: message })).text).toContain('Is it blue?')
    expect((await call('reply', { message, text: 'Yes.' })).structuredContent).toMatchObject({
      status: 'sent',
    })
    expect((await call('account_status')).structuredContent).toMatchObject({ addresses: [home.address] })
  })

  it('gives fewer tools where it is told to', async () => {
    const { client, call } = await openStdio(era, ['--only', 'send_mail,read_message', '--approve', 'send'])
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_message', 'send_mail'])
    const answer = await call('send_mail', { to: 'new@other.example', subject: 'Hi', text: 'Hello' })
    expect(answer.structuredContent).toMatchObject({ status: 'waiting_for_approval' })
  })
})

describe('restante mcp', () => {
  it('writes nothing but the protocol to standard output, and ends with its client', async () => {
    await using running = await startService()
    const env = { RESTANTE_URL: running.url.replace(/\/v1$/, ''), RESTANTE_API_KEY: running.home.apiKey }
    const serving = cli(['mcp', '--read-only'], { env, input, keepsOpen: true })
    // A client that is gone gets no more answers.
    await serving.line({ id: 3 })
    serving.child.stdin?.end()
    const { code, out, err } = await serving.ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([1, 2, 3].map((id) => ['2.0', id]))
    expect(answers[2].result.structuredContent).toMatchObject({ addresses: [running.home.address] })
  })

  it('says what is wrong on standard error', async () => {
    expect(await runCli(['mcp'], { cwd: await temporaryFolder() })).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('RESTANTE_API_KEY=rst_… restante mcp'),
    })
    await using running = await startService()
    const env = { RESTANTE_URL: running.url.replace(/\/v1$/, ''), RESTANTE_API_KEY: running.home.apiKey }
    const wrong = await cli(['mcp', '--only', 'fly'], { env }).ended
    expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not fly') })
  })
})
