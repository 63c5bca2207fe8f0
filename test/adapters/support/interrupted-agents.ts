import type { Snapshot } from '@strands-agents/sdk'
import type { Mailbox } from 'restante'
import { answer, openAdk, question } from './adk'
import { scriptedModel, versions } from './ai-versions'
import { scriptedGenkit } from './genkit-model'
import type { Asked, InterruptedRun } from './interrupted'
import { scriptedStrands } from './strands-model'
import { loadVoltAgent, voltAgent } from './voltagent'

const options = { approve: 'send' } as const
const prompt = 'Answer Ana.'

/** A model that does these calls, and then ends. */
const scriptOf = (calls: readonly Asked[]) => {
  const steps = calls.map(({ name, input }) => ({ tool: name, input }))
  return () => steps.shift() ?? 'The end.'
}
const askedBy = (call: { tool: string; input: unknown } | undefined): Asked | null =>
  call ? ({ name: call.tool, input: call.input } as Asked) : null

const strandsAgent = async (mailbox: Mailbox, calls: readonly Asked[]) => {
  const { Agent } = await import('@strands-agents/sdk')
  const { createMailboxTools } = await import('restante/strands')
  const model = await scriptedStrands(scriptOf(calls))
  return new Agent({ model, tools: createMailboxTools(mailbox, options), printer: false })
}

const strands: InterruptedRun = {
  name: 'Strands Agents',
  needs: { node: 20, needs: '@strands-agents/sdk' },
  begin: async (mailbox, call) => {
    const agent = await strandsAgent(mailbox, [call])
    const { interrupts: [one] = [] } = await agent.invoke(prompt)
    const { text, ...asked } = (one?.reason ?? {}) as { tool: string; input: unknown; text?: string }
    const stored = JSON.stringify({ run: agent.takeSnapshot({ preset: 'session' }), interruptId: one?.id })
    return { stored, asked: askedBy(one && asked), shown: text ?? '' }
  },
  resume: async (mailbox, stored) => {
    const { run, interruptId } = JSON.parse(stored) as { run: Snapshot; interruptId: string }
    const agent = await strandsAgent(mailbox, [])
    agent.loadSnapshot(run)
    await agent.invoke([{ interruptResponse: { interruptId, response: true } }])
  },
}

const genkitRun = async (mailbox: Mailbox, calls: readonly Asked[], more: object) => {
  const { createMailboxTools } = await import('restante/genkit')
  const ai = await scriptedGenkit(scriptOf(calls))
  return ai.generate({ ...more, use: [createMailboxTools(mailbox, options)] })
}

const genkit: InterruptedRun = {
  name: 'Genkit',
  needs: { node: 20, needs: 'genkit' },
  begin: async (mailbox, call) => {
    const { interrupts, messages } = await genkitRun(mailbox, [call], { prompt })
    const asked = interrupts[0]?.metadata?.interrupt as { tool: string; input: unknown; text: string }
    return { stored: JSON.stringify(messages), asked: askedBy(asked), shown: asked?.text ?? '' }
  },
  resume: async (mailbox, stored) => {
    const { restartTool } = await import('genkit')
    const messages = JSON.parse(stored)
    const restart = messages
      .at(-1)
      .content.filter((part: { metadata?: { interrupt?: unknown } }) => part.metadata?.interrupt)
      .map((part: never) => restartTool(part, { approved: true }))
    await genkitRun(mailbox, [], { messages, resume: { restart } })
  },
}

const voltRun = async (mailbox: Mailbox, calls: readonly Asked[], messages: object[]) => {
  await loadVoltAgent()
  const { createMailboxTools } = await import('restante/voltagent')
  const model = await scriptedModel(versions[1]!, scriptOf(calls))
  const agent = await voltAgent(createMailboxTools(mailbox, options), model)
  return agent.generateText(messages as never)
}

const voltagent: InterruptedRun = {
  name: 'VoltAgent',
  needs: { node: 20, needs: '@voltagent/core' },
  begin: async (mailbox, call) => {
    const begun = [{ role: 'user', content: prompt }]
    const { content, response } = await voltRun(mailbox, [call], begun)
    const one = content.find(({ type }) => type === 'tool-approval-request') as
      | { approvalId: string; toolCall: { toolName: string; input: unknown } }
      | undefined
    const yes = { type: 'tool-approval-response', approvalId: one?.approvalId, approved: true }
    const messages = [...begun, ...response.messages, { role: 'tool', content: [yes] }]
    const asked = one && { tool: one.toolCall.toolName, input: one.toolCall.input }
    return { stored: JSON.stringify(messages), asked: askedBy(asked) }
  },
  resume: async (mailbox, stored) => {
    await voltRun(mailbox, [], JSON.parse(stored))
  },
}

const adk: InterruptedRun = {
  name: 'Google ADK 2',
  needs: { node: 20, needs: '@google/adk' },
  begin: async (mailbox, call) => {
    const { run, state } = await openAdk(mailbox, scriptOf([call]), options)
    const one = question(await run([{ text: prompt }]))
    const { originalFunctionCall, toolConfirmation } = (one?.args ?? {}) as {
      originalFunctionCall: { name: string; args: unknown }
      toolConfirmation: { hint: string }
    }
    const asked = one && { tool: originalFunctionCall.name, input: originalFunctionCall.args }
    const shown = one ? toolConfirmation.hint : ''
    return { stored: JSON.stringify({ events: await state(), one }), asked: askedBy(asked), shown }
  },
  resume: async (mailbox, stored) => {
    const { events, one } = JSON.parse(stored)
    const { run } = await openAdk(mailbox, scriptOf([]), options, events)
    await run([answer(one, true)])
  },
}

/** Runs of agents that keep what they need to go on as text. */
export const interruptedAgents: readonly InterruptedRun[] = [strands, genkit, voltagent, adk]
