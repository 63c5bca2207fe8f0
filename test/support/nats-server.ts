import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { freePort } from './free-port'
import { untilListening } from './until-listening'

const places = (process.env.PATH ?? '')
  .split(':')
  .concat('/usr/sbin')
  .map((folder) => `${folder}/nats-server`)
const program = places.find((path) => existsSync(path))

/** Why no server of NATS can be run; null where one can. */
export const noNats = program === undefined ? 'nats-server is not installed (apt install nats-server)' : null
if (noNats && process.env.CI) throw new Error(noNats)
if (noNats) console.warn(`skipped: tests of NATS: ${noNats}`)

/** A server of NATS of its own. */
export interface NatsServer extends AsyncDisposable {
  readonly url: string
  /** Ends it at once, as a power cut would; it is gone once this resolves. */
  stop(): Promise<void>
  /** Starts it again on its port. */
  start(): Promise<void>
}

/** Starts a server. */
export async function startNats(): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  async function start(): Promise<void> {
    child = spawn(program!, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    if (!(await untilListening(port, child))) throw new Error('nats-server did not start')
  }
  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return { url: `nats://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop }
}
