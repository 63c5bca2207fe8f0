import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Another program that finds the reply in a text. */
export interface Peer {
  name: string
  /** Null where it took more than two seconds. */
  reply(text: string): Promise<string | null>
  close(): Promise<unknown>
}

const packages = ['email-reply-parser@2.3.9', 'planer@1.2.0']
const maxMs = 2000

const programs = {
  'email-reply-parser':
    "const E = load('email-reply-parser'); const one = new (E.default ?? E)(); reply = (text) => one.read(text).getVisibleText()",
  planer: "const one = load('planer'); reply = (text) => one.extractFrom(text, 'text/plain')",
}

const threadOf = (folder: string, program: string): Worker =>
  new Worker(
    `const load = require('node:module').createRequire(${JSON.stringify(join(folder, 'package.json'))})
    const { parentPort } = require('node:worker_threads')
    let reply
    ${program}
    parentPort.on('message', (text) => { let told = null; try { told = reply(text) } catch {} parentPort.postMessage(told) })`,
    { eval: true },
  )

function peerOf(name: string, program: string, folder: string): Peer {
  let thread = threadOf(folder, program)
  return {
    name,
    reply: (text) =>
      new Promise((settle) => {
        const late = setTimeout(() => {
          void thread.terminate()
          thread = threadOf(folder, program)
          settle(null)
        }, maxMs)
        thread.once('message', (reported) => {
          clearTimeout(late)
          settle(reported)
        })
        thread.postMessage(text)
      }),
    close: () => thread.terminate(),
  }
}

/** The programs to compare with, installed for as long as this runs; none where there is no registry. */
export function openPeers(): { peers: Peer[]; close(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'restante-peers-'))
  const peers: Peer[] = []
  const close = async () => {
    await Promise.all(peers.map((peer) => peer.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const options = { cwd: folder, stdio: 'ignore', timeout: 120_000 } as const
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], options)
    for (const [name, program] of Object.entries(programs)) peers.push(peerOf(name, program, folder))
  } catch {
    console.warn('Without email-reply-parser and planer: they could not be installed.')
  }
  return { peers, close }
}
