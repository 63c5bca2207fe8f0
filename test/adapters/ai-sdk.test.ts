import { generateText, type ModelMessage, stepCountIs, ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createMailboxTools } from 'restante/ai-sdk'
import { expect, test } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { proves } from '../support/proves'

type Step = string | { tool: string; input: object }

/** A model that follows a script, one step a call. */
const scripted = (...steps: Step[]) =>
  new MockLanguageModelV3({
    doGenerate: async () => {
      const step = steps.shift() ?? 'The end.'
      const isCall = typeof step === 'object'
      return {
        content: isCall
          ? [
              {
                type: 'tool-call',
                toolCallId: `call-${steps.length}`,
                toolName: step.tool,
                input: JSON.stringify(step.input),
              },
            ]
          : [{ type: 'text', text: step }],
        finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })

/** The prompt of the last call of the model. */
const lastTold = (model: MockLanguageModelV3) => JSON.stringify(model.doGenerateCalls.at(-1)?.prompt.at(-1))

proves(
  'Vercel AI SDK 5, 6, 7',
  'tools',
  'an agent reads a mail as plain text and answers it once',
  async () => {
    await using real = await openReal()
    const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
    const { handle } = message
    const model = scripted(
      { tool: 'read_thread', input: { thread: handle } },
      { tool: 'reply', input: { message: handle, text: 'Yes.' } },
      { tool: 'reply', input: { message: handle, text: 'Yes, it is.' } },
      'It is answered.',
    )
    const agent = new ToolLoopAgent({ model, tools: createMailboxTools(real.mailbox, { message }) })
    const { text, steps } = await agent.generate({ prompt: await message.toPrompt() })
    expect(text).toBe('It is answered.')
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
    expect((outputs as { status: string }[]).map(({ status }) => status)).toEqual(['ok', 'sent', 'refused'])
    expect(lastTold(model)).toContain('already_replied')
    const read = model.doGenerateCalls[1]!.prompt.at(-1)!
    expect(read).toMatchObject({
      role: 'tool',
      content: [
        {
          output: {
            type: 'text',
            value: expect.stringMatching(new RegExp(`^E-mail thread: .*\\n\\n${handle}; `)),
          },
        },
      ],
    })
    expect(await real.sentMail()).toHaveLength(1)
    await expect(message.reply({ text })).rejects.toMatchObject({ code: 'already_replied' })
  },
)

proves(
  'Vercel AI SDK 5, 6, 7',
  'approval',
  'a mail that needs approval is sent once a human said yes',
  async () => {
    await using real = await openReal()
    const mail = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
    const tools = createMailboxTools(real.mailbox)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Write to new@other.example' }]
    const asked = await generateText({ model: scripted({ tool: 'send_mail', input: mail }), tools, messages })
    const request = asked.content.find(({ type }) => type === 'tool-approval-request')
    if (request?.type !== 'tool-approval-request') throw new Error('nobody was asked')
    expect(await real.sentMail()).toHaveLength(0)
    const answered = (approved: boolean): ModelMessage[] => [
      ...messages,
      ...asked.response.messages,
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved }],
      },
    ]
    await generateText({ model: scripted('Pity.'), tools, messages: answered(false) })
    expect(await real.sentMail()).toHaveLength(0)
    const model = scripted('Sent.')
    await generateText({ model, tools, messages: answered(true) })
    expect(lastTold(model)).toContain('sent')
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
  },
)

test('where the SDK asks nobody, as version 5, the mail waits as a draft', async () => {
  await using real = await openReal()
  const mail = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
  const tools = createMailboxTools(real.mailbox, { approve: 'send' })
  const { needsApproval, ...send_mail } = tools.send_mail
  expect(needsApproval).toBeTypeOf('function')
  const model = scripted({ tool: 'send_mail', input: mail })
  await generateText({ model, tools: { send_mail }, stopWhen: stepCountIs(3), prompt: 'Write' })
  expect(lastTold(model)).toContain('waiting_for_approval')
  expect(await real.sentMail()).toHaveLength(0)
  const { items } = await real.mailbox.drafts.list()
  expect(items).toMatchObject([{ subject: 'Hi', status: 'draft' }])
  // Version 5 gives the output alone.
  const toText = send_mail.toModelOutput as unknown as (output: unknown) => object
  expect(toText({ status: 'ok', mail: 'Told.' })).toEqual({ type: 'text', value: 'Told.' })
})

test.each([
  ['no', 'call-1', false],
  ['yes to another call', 'call-2', true],
])('%s does not count as approval of a call', async (_what, toolCallId, approved) => {
  await using real = await openReal()
  const { send_mail } = createMailboxTools(real.mailbox, { approve: 'send' })
  const input = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
  const messages: ModelMessage[] = [
    { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'approval-1', toolCallId }] },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'approval-1', approved }] },
  ]
  const answer = await send_mail.execute?.(input, { toolCallId: 'call-1', messages })
  expect(answer).toMatchObject({ status: 'waiting_for_approval' })
  expect(await real.sentMail()).toHaveLength(0)
})

test('the same call, run again, sends nothing twice, and a run that is broken off waits no longer', async () => {
  await using real = await openReal()
  const { handle } = await real.receive()
  const mail = { to: 'bo@other.example', subject: 'Hi', text: 'Hello' }
  const call = { toolCallId: 'call-1', messages: [] }
  for (let time = 0; time < 2; time += 1) {
    const { send_mail } = createMailboxTools(real.mailbox, { flow: 'off' })
    expect(await send_mail.execute?.(mail, call)).toMatchObject({ status: 'sent' })
  }
  expect(await real.sentMail()).toHaveLength(1)
  const { wait_for_reply } = createMailboxTools(real.mailbox)
  const leaving = new AbortController()
  const waiting = wait_for_reply.execute?.({ message: handle }, { ...call, abortSignal: leaving.signal })
  leaving.abort(new Error('closing time'))
  await expect(waiting).rejects.toThrow('closing time')
})

test('instructions in any part of a mail reach the model between the marks', async () => {
  await using real = await openReal()
  const steps: Step[] = []
  for (const [, mail] of hostileMails) {
    const { handle: message } = await real.receive({ text: 'Hello', ...mail })
    for (const tool of ['read_message', 'read_attachment', 'wait_for_reply'])
      steps.push({ tool, input: { message, ...(tool === 'wait_for_reply' && { timeout_seconds: 0 }) } })
    steps.push({ tool: 'read_thread', input: { thread: message } })
  }
  steps.push({ tool: 'search_mail', input: {} }, { tool: 'list_threads', input: {} })
  const count = steps.length
  const model = scripted(...steps)
  const tools = createMailboxTools(real.mailbox)
  await generateText({ model, tools, stopWhen: stepCountIs(count + 1), prompt: 'Read it all' })
  const reported = model.doGenerateCalls.slice(1).map(({ prompt }) => prompt.at(-1)?.content)
  expect(reported).toHaveLength(count)
  for (const content of reported) {
    const [part] = content as { output: { type: string; value: string } }[]
    expect(part?.output.type).toBe('text')
    expect(escaped(part!.output.value)).toEqual([])
  }
})

test('the types of the AI SDK tools know which tools the options leave', async () => {
  await using real = await openReal()
  const few = createMailboxTools(real.mailbox, { only: ['reply', 'read_thread'], readOnly: true })
  expect(Object.keys(few)).toEqual(['read_thread'])
  // @ts-expect-error It writes.
  expect(few.reply).toBeUndefined()
})
