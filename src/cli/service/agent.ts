import { existsSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { IncomingMessages } from '../../mailbox/loops/incoming'
import type { Run } from '../../mailbox/loops/runner'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Message } from '../../mailbox/records/message'
import { isRestanteError, type RestanteError, UsageError } from '../../protocol/errors/error'
import { clockTime, duration, type Output, paint, printableLines } from '../base/output'

type Agent = (mailbox: Mailbox) => unknown

/** Returns the absolute path of an agent's file. @throws UsageError `agent_missing` */
export function findAgent(given: string): string {
  const file = resolve(given)
  if (existsSync(file) && statSync(file).isFile()) return file
  throw new UsageError(
    'agent_missing',
    `There is no agent at ${given}. Give the path of a module, such as --agent examples/echo-agent.ts.`,
  )
}

/** Loads a module without cache, TypeScript included. Node loads its imports from `node_modules`. */
async function loadAgent(file: string): Promise<Agent> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    nativeModules: ['restante'],
  })
  const agent = await jiti.import(file, { default: true })
  if (typeof agent === 'function') return agent as Agent
  throw new UsageError(
    'agent_invalid',
    `${file} must have a default export that is a function of the mailbox: export default async (mailbox) => { … }`,
  )
}

/** One run of an agent's module, with its own mailbox. */
interface AgentRun {
  /** Stops its loops, waits for the current messages, and closes its mailbox. */
  stop(): Promise<void>
}

interface AgentRunOptions {
  file: string
  open: () => Promise<Mailbox>
  /** Called when it runs; a loop that it opens synchronously is open then. */
  onStarted: () => void
  /** Called when a loop gets a message. */
  onWoken: (message: Message) => void
  onFailure: (error: unknown) => void
  /** Called when a handler throws for one message, or on another error; the agent goes on. */
  onTrouble: (error: RestanteError) => void
  /** Called when it did not stop within the grace period. */
  onLeftBehind: () => void
}

const graceMs = 5_000

/** Resolves with true if the work ends in time. */
function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Reports when a loop gets a message, which is later than the event. */
function tellWoken(loop: IncomingMessages, onWoken: AgentRunOptions['onWoken']): void {
  const next = loop.next.bind(loop)
  loop.next = async () => {
    const result = await next()
    if (!result.done) onWoken(result.value)
    return result
  }
}

function startAgent(options: AgentRunOptions): AgentRun {
  const loops = new Set<Pick<IncomingMessages, 'stop'>>()
  let mailbox: Mailbox | undefined
  let stopping = false

  /** Stops loops with the run, while calls still work, so that messages in progress can be answered. */
  function watchLoops(opened: Mailbox): void {
    opened.on('error', options.onTrouble)
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

/** Runner of an agent, which restarts it whenever its file changes. */
interface AgentRunner {
  /** Stops watching the file, then the agent once it has finished its current messages. */
  close(): Promise<void>
}

interface AgentOptions {
  /** Result of {@link findAgent}. */
  file: string
  /** Opens the mailbox of one run. */
  open: () => Promise<Mailbox>
  output: Output
  /** Returns the milliseconds since a message was on disk. */
  msSince: (message: Message) => number
}

const settleMs = 100

/** Creates the callbacks that report on the run with this number. */
function reports({ file, output, msSince }: AgentOptions, run: number) {
  const report = (line: string, facts: object) => output.tell(`${clockTime()}  ${line}`, facts)
  return {
    onWoken(message: Message) {
      const ms = msSince(message)
      report(`${paint('dim', 'woken')}  after ${duration(ms)}`, {
        event: 'woken',
        message_id: message.id,
        ms: Math.round(ms * 100) / 100,
      })
    },
    onFailure(error: unknown) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      report(
        `agent  ${paint('red', 'failed')}: ${printableLines(text)}\n          It restarts when ${basename(file)} changes.`,
        {
          event: 'agent.failed',
          error: text,
        },
      )
    },
    onTrouble({ message, cause }: RestanteError) {
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '')
      report(
        `agent  ${paint('red', 'failed')}, and continues: ${printableLines(`${message}\n${text}`.trim())}`,
        {
          event: 'agent.trouble',
          error: `${message}\n${text}`.trim(),
        },
      )
    },
    onLeftBehind: () => report('agent  did not stop in time and was abandoned', { event: 'agent.left' }),
    onStarted: () =>
      report(`agent  ${run > 1 ? 'restarted after a change' : 'started'}`, { event: 'agent.started', run }),
  }
}

/** Runs an agent module in this process and restarts it when its file changes. */
export function runAgent(options: AgentOptions): AgentRunner {
  const { file, open } = options
  let runs = 0
  const start = (): AgentRun => startAgent({ file, open, ...reports(options, ++runs) })
  let run = start()
  let turn = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Restarts in sequence, so that only one run receives messages. */
  function restart(): void {
    turn = turn.then(async () => {
      await run.stop()
      run = start()
    })
  }

  const watcher = watch(dirname(file), (_type, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(restart, settleMs)
  })
  // A promise that the agent forgot must not bring the service down.
  const onUncaught = (error: unknown) => reports(options, runs).onFailure(error)
  process.on('uncaughtException', onUncaught)
  return {
    async close() {
      watcher.close()
      clearTimeout(timer)
      await turn
      await run.stop()
      process.off('uncaughtException', onUncaught)
    },
  }
}
