import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ServiceOptions } from 'restante/service'
import { onTestFailed, onTestFinished } from 'vitest'
import { environmentName } from '../../src/service/settings'

/** What the first line says. */
export interface ServiceFacts {
  url: string
  smtp: string
  address: string
  inbox_id: string
  api_key: string
}

/** Bytes, after a collection of garbage. */
export interface Memory {
  rss: number
  /** What is reachable: objects and buffers. */
  live: number
}

/** A service in a process of its own, from what was built. It is killed when the test ends. */
export interface ServiceProcess {
  readonly facts: ServiceFacts
  readonly smtpPort: number
  readonly httpPort: number
  readonly pid: number
  /** The lines after the first. */
  readonly lines: Interface
  /** What it wrote to standard error so far. */
  readonly complaints: string
  readonly running: boolean
  /** Ends it by a signal; resolves with its exit code, null where it was killed. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Only of {@link startMeasured}. */
  memory(): Promise<Memory>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const portOf = (address: string) => Number(/:(\d+)(?:\/|$)/.exec(address)?.[1])

const environmentOf = (options: ServiceOptions): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [environmentName(name), String(value)]))

async function firstLine(lines: Interface, child: ChildProcess, complaints: () => string): Promise<string> {
  const controller = new AbortController()
  const { signal } = controller
  const line = once(lines, 'line', { signal }).then(([text]) => text as string)
  const exit = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the service ended with ${code}: ${complaints()}`)
  })
  try {
    return await Promise.race([line, exit])
  } finally {
    controller.abort()
    await Promise.allSettled([line, exit])
  }
}

async function start(
  args: readonly string[],
  options: ServiceOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const environment = environmentOf({ http: '127.0.0.1:0', smtp: '127.0.0.1:0', ...options })
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let complaints = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  onTestFailed(() => {
    if (complaints) console.error(`the service ${child.pid} said: ${complaints.slice(0, 4_000)}`)
  })
  const lines = createInterface({ input: child.stdout! })
  const facts: ServiceFacts = JSON.parse(await firstLine(lines, child, () => complaints))
  return {
    facts,
    smtpPort: portOf(facts.smtp),
    httpPort: portOf(facts.url),
    pid: child.pid!,
    lines,
    get complaints() {
      return complaints
    },
    get running() {
      return child.exitCode === null && child.signalCode === null
    },
    async end(signal) {
      child.kill(signal)
      await exited
      return child.exitCode
    },
    async memory() {
      child.send('memory')
      const [memory] = await once(child, 'message')
      return memory as Memory
    },
  }
}

/** `restante dev --json`, as people run it. */
export const startDev = (
  options: ServiceOptions,
  env?: Readonly<Record<string, string>>,
): Promise<ServiceProcess> => start(['dist/cli.js', 'dev', '--json'], options, env)

/** `restante serve --json`: it has no account of its own to tell of. */
export const startServe = (options: ServiceOptions): Promise<ServiceProcess> =>
  start(['dist/cli.js', 'serve', '--json'], options)

/** The bare service, which tells its memory. */
export const startMeasured = (options: ServiceOptions): Promise<ServiceProcess> =>
  start(['--expose-gc', 'test/support/measured-service.mjs'], options)

/** The bare service, which kills itself between a change of a table and what follows in the same transaction. */
export const startDying = (options: ServiceOptions, table: string): Promise<ServiceProcess> =>
  start(['test/support/dying-service.mjs', table], options)
