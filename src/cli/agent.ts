import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Mailbox, Message } from '../mailbox'
import { type AgentRun, startAgent } from './agent-run'
import { clockTime, duration, type Output, printableLines } from './output'

/** An agent that starts anew whenever its file changes. */
export interface AgentRunner {
  /** Stops watching the file, and the agent once it has finished what it is at. */
  close(): Promise<void>
}

export interface AgentOptions {
  /** As {@link findAgent} found it. */
  file: string
  /** Opens the mailbox of one run. */
  open: () => Promise<Mailbox>
  output: Output
  /** Milliseconds since a message was on disk. */
  msSince: (message: Message) => number
}

const settleMs = 100

/** What the run with this number has to tell. */
function reports({ file, output, msSince }: AgentOptions, run: number) {
  const told = (line: string, facts: object) => output.tell(`${clockTime()}  ${line}`, facts)
  return {
    onWoken(message: Message) {
      const ms = msSince(message)
      told(`woken  after ${duration(ms)}`, {
        event: 'woken',
        message_id: message.id,
        ms: Math.round(ms * 100) / 100,
      })
    },
    onFailure(error: unknown) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      told(
        `agent  failed: ${printableLines(text)}\n          It starts anew when ${basename(file)} changes.`,
        {
          event: 'agent.failed',
          error: text,
        },
      )
    },
    onLeftBehind: () => told('agent  did not end in time and is left behind', { event: 'agent.left' }),
    onStarted: () =>
      told(`agent  ${run > 1 ? 'changed, started anew' : 'started'}`, { event: 'agent.started', run }),
  }
}

/** Runs an agent module in this process, and starts it anew when its file changes. */
export function runAgent(options: AgentOptions): AgentRunner {
  const { file, open } = options
  let runs = 0
  const start = (): AgentRun => startAgent({ file, open, ...reports(options, ++runs) })
  let run = start()
  let turn = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Changes are taken one after the other, so that one run at most has the mail. */
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
  // A promise that the agent forgot about must not take the service with it.
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
