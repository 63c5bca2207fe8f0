/** Runs that wait for an answer by mail: begun with one mailbox, and gone on with by another process. */
import type { Snapshot } from '@strands-agents/sdk'
import type { Mailbox } from 'restante'
import { openAdk } from './adk'
import { scriptedGenkit } from './genkit-model'
import { scriptedStrands } from './strands-model'

export interface WaitingRun {
  name: string
  /** A row of `frameworks` that it cannot run without, for what it needs. */
  needs: { node: number; needs: string }
  /** Lets an agent wait for the answer to a message; what the process leaves behind is text. */
  begin(mailbox: Mailbox, handle: string): Promise<string>
  /** Goes on once the answer is there, and tells what the model then reads. */
  resume(mailbox: Mailbox, stored: string): Promise<string>
}

const options = { suspend: true } as const
const prompt = 'Wait for the answer.'

/** A model that waits for the answer to a message, and then ends; without one, it ends at once. */
const scriptOf = (handle?: string) => {
  const reported: string[] = []
  const wait = { tool: 'wait_for_reply', input: { message: handle } }
  const steps = handle === undefined ? [] : [wait]
  const next = (last: string) => {
    reported.push(last)
    return steps.shift() ?? 'The end.'
  }
  return { reported, next }
}

/** The wait of a run, with the answer once it came: a process that waits may be another than the one that asked. */
async function answered<Wait extends { token: string | null }>(mailbox: Mailbox, waiting: Wait) {
  return { waiting, reply: await mailbox.resumeWait(waiting.token!) }
}

const strandsAgent = async (mailbox: Mailbox, handle?: string) => {
  const { Agent } = await import('@strands-agents/sdk')
  const { createMailboxTools } = await import('restante/strands')
  const { reported, next } = scriptOf(handle)
  const model = await scriptedStrands(next)
  return {
    agent: new Agent({ model, tools: createMailboxTools(mailbox, options), printer: false }),
    reported,
  }
}

const strands: WaitingRun = {
  name: 'Strands Agents',
  needs: { node: 20, needs: '@strands-agents/sdk' },
  begin: async (mailbox, handle) => {
    const { waitsIn } = await import('restante/strands')
    const { agent } = await strandsAgent(mailbox, handle)
    const [waiting] = waitsIn(await agent.invoke(prompt))
    return JSON.stringify({ waiting, run: agent.takeSnapshot({ preset: 'session' }) })
  },
  resume: async (mailbox, stored) => {
    const { replyTo } = await import('restante/strands')
    const kept = JSON.parse(stored) as { waiting: Parameters<typeof replyTo>[0]; run: Snapshot }
    const { agent, reported } = await strandsAgent(mailbox)
    agent.loadSnapshot(kept.run)
    const { waiting, reply } = await answered(mailbox, kept.waiting)
    await agent.invoke(replyTo(waiting, reply))
    return reported.join('\n')
  },
}

const genkitRun = async (mailbox: Mailbox, more: object, handle?: string) => {
  const { createMailboxTools } = await import('restante/genkit')
  const { reported, next } = scriptOf(handle)
  const ai = await scriptedGenkit(next)
  const response = await ai.generate({ ...more, use: [createMailboxTools(mailbox, options)] })
  return { response, reported }
}

const genkit: WaitingRun = {
  name: 'Genkit',
  needs: { node: 20, needs: 'genkit' },
  begin: async (mailbox, handle) => {
    const { waitsIn } = await import('restante/genkit')
    const { response } = await genkitRun(mailbox, { prompt }, handle)
    return JSON.stringify({ waiting: waitsIn(response)[0], messages: response.messages })
  },
  resume: async (mailbox, stored) => {
    const { replyTo } = await import('restante/genkit')
    const kept = JSON.parse(stored) as { waiting: Parameters<typeof replyTo>[0]; messages: object[] }
    const { waiting, reply } = await answered(mailbox, kept.waiting)
    const restart = [replyTo(waiting, reply)]
    const { reported } = await genkitRun(mailbox, { messages: kept.messages, resume: { restart } })
    return reported.join('\n')
  },
}

const adk: WaitingRun = {
  name: 'Google ADK 2',
  needs: { node: 20, needs: '@google/adk' },
  begin: async (mailbox, handle) => {
    const { waitsIn } = await import('restante/google-adk')
    const { run, state } = await openAdk(mailbox, scriptOf(handle).next, options)
    const [waiting] = (await run([{ text: prompt }])).flatMap(waitsIn)
    return JSON.stringify({ waiting, events: await state() })
  },
  resume: async (mailbox, stored) => {
    const { replyTo } = await import('restante/google-adk')
    const kept = JSON.parse(stored) as { waiting: Parameters<typeof replyTo>[1]; events: string }
    const { reported, next } = scriptOf()
    const { run } = await openAdk(mailbox, next, options, kept.events)
    const { waiting, reply } = await answered(mailbox, kept.waiting)
    const { parts } = await replyTo(mailbox, waiting, reply)
    await run(parts as never)
    return reported.join('\n')
  },
}

/** Those that keep what they need to go on as text. */
export const waitingRuns: readonly WaitingRun[] = [strands, genkit, adk]
