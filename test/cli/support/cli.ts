import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
export const cliPath = join(root, 'dist/cli.js')

/** The output of a command, and its exit code. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** One line of `restante dev --json` after the first. */
interface Told extends Record<string, unknown> {
  event: string
  message_id: string
  ms: number
  error: string
}

/** A process that runs until the test ends; its output can be waited for. */
export interface Running {
  readonly child: ChildProcess
  /** The first thing on standard output that matches, whether it came already or not. Rejects when it ended without. */
  out(pattern: RegExp): Promise<RegExpExecArray>
  /** The same on standard error. */
  err(pattern: RegExp): Promise<RegExpExecArray>
  /** The first JSON line that has these facts. */
  line(facts: Record<string, unknown>): Promise<Told>
  /** The output so far. */
  readonly text: string
  readonly ended: Promise<Ended>
  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended>
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Leaves standard input open after `input`: `child.stdin.end()` closes it. */
  keepsOpen?: boolean
}

/** The settings of whoever runs the tests do not matter. */
export const cleanEnvironment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(RESTANTE_|npm_|NODE_|VITEST)/.test(name))
  return { ...Object.fromEntries(own), NO_COLOR: '1', ...more }
}

const jsonLines = (text: string): Told[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Starts a program; it does not outlive the test. */
export function start(command: string, args: readonly string[], options: RunOptions = {}): Running {
  const { cwd = root, env, input = '', keepsOpen = false } = options
  const child = spawn(command, args, { cwd, env: cleanEnvironment(env), stdio: 'pipe' })
  child.stdin.on('error', () => {}).write(input)
  if (!keepsOpen) child.stdin.end()
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  const closed = once(child, 'close')
  const ended = closed.then(([code]) => ({ code, out: texts.stdout, err: texts.stderr }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })

  /** Looks again with every piece of output. */
  function until<T>(name: 'stdout' | 'stderr', look: (text: string) => T | null | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const again = () => {
        const found = look(texts[name])
        if (found) resolve(found)
        return found
      }
      if (again()) return
      child[name].on('data', again)
      void ended.then(({ code, out, err }) => {
        if (!again()) reject(new Error(`ended with ${code} before it was written:\n${out}\n${err}`))
      })
    })
  }
  const has = (line: Told, facts: Record<string, unknown>) =>
    Object.entries(facts).every(([name, value]) => JSON.stringify(line[name]) === JSON.stringify(value))
  return {
    child,
    out: (pattern) => until('stdout', (text) => pattern.exec(text)),
    err: (pattern) => until('stderr', (text) => pattern.exec(text)),
    line: (facts) => until('stdout', (text) => jsonLines(text).find((line) => has(line, facts))),
    get text() {
      return texts.stdout
    },
    ended,
    kill(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts `restante`. */
export const cli = (args: readonly string[], options?: RunOptions): Running =>
  start(process.execPath, [cliPath, ...args], options)

/** Runs `restante` to its end. */
export const runCli = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  cli(args, options).ended

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'restante-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** The first line of `restante dev --json`. */
export interface DevFacts {
  url: string
  console_url: string
  smtp: string
  address: string
  inbox_id: string
  api_key: string
}

export const anyPorts = ['--http', '127.0.0.1:0', '--smtp', '127.0.0.1:0']

/** Starts `restante dev --json` on free ports, with data of its own unless told which, and waits until it is ready. */
export async function startDev(args: readonly string[] = []): Promise<{ dev: Running; facts: DevFacts }> {
  const data = args.includes('--data') ? [] : ['--data', await temporaryFolder()]
  const dev = cli(['dev', '--json', ...anyPorts, ...data, ...args])
  const [first] = await dev.out(/^.*\n/)
  return { dev, facts: JSON.parse(first) as DevFacts }
}
