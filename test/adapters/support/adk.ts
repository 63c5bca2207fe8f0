import type { Mailbox } from 'restante'
import type { AdkOptions } from 'restante/google-adk'
import { wordsOf } from './steps'

export type Step = string | { tool: string; input: object }
export interface Part {
  text?: string
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> }
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> }
}
interface AdkEvent {
  partial?: boolean
  content?: unknown
}

export const partsOf = (events: readonly AdkEvent[]): Part[] =>
  events.flatMap(({ content }) => (content as { parts?: Part[] } | undefined)?.parts ?? [])

/** The call by which a run asks a human, if it does. */
export const question = (events: readonly AdkEvent[]) =>
  partsOf(events).find(({ functionCall }) => functionCall?.name === 'adk_request_confirmation')?.functionCall
export const answer = (call: Part['functionCall'], confirmed: boolean): Part => ({
  functionResponse: { id: call!.id!, name: call!.name!, response: { confirmed } },
})

/** The events of one answer of the model: in pieces first, where it streams. */
function* answered(step: Step, isStreaming: boolean): Generator<never, void> {
  const reported = (part: Part, partial = false) =>
    ({ content: { role: 'model', parts: [part] }, partial }) as never
  if (typeof step !== 'string')
    return yield reported({
      functionCall: { id: crypto.randomUUID(), name: step.tool, args: step.input as never },
    })
  if (isStreaming) for (const text of wordsOf(step)) yield reported({ text }, true)
  yield reported({ text: step })
}

/**
 * An agent of ADK whose model does what `next` says, given what it was told last, as JSON; and what it was declared.
 *
 * @param kept the events of a session as text, as a database keeps them
 */
export async function openAdk(
  mailbox: Mailbox,
  next: (reported: string) => Step | Promise<Step>,
  options: AdkOptions = {},
  kept = '[]',
) {
  const { BaseLlm, createEvent, InMemorySessionService, LlmAgent, Runner, setLogLevel, StreamingMode } =
    await import('@google/adk')
  const { createMailboxTools } = await import('restante/google-adk')
  setLogLevel(4 as never)
  const declared: unknown[] = []
  class Scripted extends BaseLlm {
    async *generateContentAsync({ contents, config }: never, isStreaming = false) {
      declared.push(config)
      yield* answered(await next(JSON.stringify((contents as unknown[]).at(-1))), isStreaming)
    }
    connect(): never {
      throw new Error('this script has no connection')
    }
  }
  const tools = createMailboxTools(mailbox, options)
  const agent = new LlmAgent({ name: 'desk', model: new Scripted({ model: 'scripted' }), tools })
  const sessionService = new InMemorySessionService()
  const place = { appName: 'mail', userId: 'desk', sessionId: 'one' }
  const session = await sessionService.createSession(place)
  for (const event of JSON.parse(kept))
    await sessionService.appendEvent({ session, event: createEvent(event) })
  const runner = new Runner({ appName: place.appName, agent, sessionService })
  /** Runs it to its end; what it streams is told piece by piece. */
  const run = async (parts: Part[], onPiece?: (piece: string) => unknown) => {
    const events = []
    const newMessage = { role: 'user', parts: parts as never[] }
    const runConfig = onPiece && { streamingMode: StreamingMode.SSE }
    for await (const event of runner.runAsync({ ...place, newMessage, runConfig })) {
      if (event.partial) for (const { text = '' } of partsOf([event])) onPiece?.(text)
      else events.push(event)
    }
    return events
  }
  const state = async () => JSON.stringify((await sessionService.getSession(place))?.events)
  return { run, state, declared }
}
