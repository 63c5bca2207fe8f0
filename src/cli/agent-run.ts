import type { IncomingMessages, Mailbox, Message, Run } from '../mailbox'
import { isRestanteError } from '../protocol/error'
import { loadAgent } from './load-agent'

/** One run of an agent's module, with a mailbox of its own. */
export interface AgentRun {
  /** Hands it no more mail, lets it finish the one it has, and ends its mailbox. */
  stop(): Promise<void>
}

export interface AgentRunOptions {
  file: string
  open: () => Promise<Mailbox>
  /** It runs: a loop that it opens first thing is open. */
  onStarted: () => void
  /** A loop got a message. */
  onWoken: (message: Message) => void
  onFailure: (error: unknown) => void
  /** It was asked to stop and did not within the time it was given. */
  onLeftBehind: () => void
}

const graceMs = 5_000

/** Whether it ends in time. */
function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Tells when a loop gets a message: that, not the event, is when the agent is awake. */
function tellWoken(loop: IncomingMessages, onWoken: AgentRunOptions['onWoken']): void {
  const next = loop.next.bind(loop)
  loop.next = async () => {
    const result = await next()
    if (!result.done) onWoken(result.value)
    return result
  }
}

export function startAgent(options: AgentRunOptions): AgentRun {
  const loops = new Set<Pick<IncomingMessages, 'stop'>>()
  let mailbox: Mailbox | undefined
  let stopping = false

  /** Loops end when the run is to stop, while calls still go through: who has a message can answer it. */
  function watchLoops(opened: Mailbox): void {
    const incoming = opened.incoming.bind(opened)
    opened.incoming = (settings) => {
      const loop = incoming(settings)
      tellWoken(loop, options.onWoken)
      loops.add(loop)
      if (stopping) loop.stop()
      return loop
    }
    const run = opened.run.bind(opened)
    opened.run = (handler, settings): Run => {
      const begun = run((message, context) => {
        options.onWoken(message)
        return handler(message, context)
      }, settings)
      loops.add(begun)
      if (stopping) void begun.stop()
      return begun
    }
  }

  async function work(): Promise<void> {
    try {
      const agent = await loadAgent(options.file)
      mailbox = await options.open()
      watchLoops(mailbox)
      if (stopping) return
      const working = agent(mailbox)
      options.onStarted()
      await working
    } catch (error) {
      await mailbox?.close()
      if (!stopping || !isRestanteError(error) || error.code !== 'mailbox_closed') options.onFailure(error)
    }
  }

  const ended = work()
  return {
    async stop() {
      stopping = true
      for (const loop of loops) void loop.stop()
      const inTime = await endsWithin(graceMs, ended)
      await mailbox?.close()
      if (!inTime) options.onLeftBehind()
    },
  }
}
