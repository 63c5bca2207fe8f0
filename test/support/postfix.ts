import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort, untilListening } from '../../bench/ports.mjs'
import { findProgram, isMissing } from './program'

/** Where Debian keeps the programs of Postfix, and where this was unpacked with `dpkg -x` on a developer's machine. */
const unpacked = process.env.POSTFIX_UNPACKED ?? '/tmp/pf'
const folders = ['/usr/sbin', '/usr/lib/postfix', '/usr/libexec/postfix', join(unpacked, 'usr/sbin')]

export const smtpSinkIsMissing = (): boolean => isMissing('smtp-sink', folders)
export const smtpSourceIsMissing = (): boolean => isMissing('smtp-source', folders)

function postfixProgram(name: string): { path: string; env: NodeJS.ProcessEnv } {
  const path = findProgram(name, folders)
  if (!path) throw new Error(`${name} is missing: apt-get install -y --no-install-recommends postfix`)
  const libraries = path.startsWith(unpacked) ? { LD_LIBRARY_PATH: join(unpacked, 'usr/lib/postfix') } : {}
  return { path, env: { ...process.env, ...libraries } }
}

export const smtpSourcePath = (): string => postfixProgram('smtp-source').path

/** A mail that smtp-sink took. */
interface SunkMail {
  mailFrom: string
  mailArgs: string
  recipients: string[]
  /** Headers and body with LF, without the lines smtp-sink adds. */
  content: string
}

export interface SmtpSink {
  port: number
  mails(): Promise<SunkMail[]>
}

const valuesOf = (head: string, name: string): string[] =>
  [...head.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].map(([, value]) => value ?? '')

function parseDump(dump: string): SunkMail {
  const own = /^(?:X-[A-Za-z]+-[A-Za-z]+: .*\n)+Received: .*\n(?:\t.*\n)+/.exec(dump)?.[0] ?? ''
  const [mailArgs = ''] = valuesOf(own, 'X-Mail-Args')
  const address = (args: string) => /^<([^>]*)>/.exec(args)?.[1] ?? args
  return {
    mailFrom: address(mailArgs),
    mailArgs,
    recipients: valuesOf(own, 'X-Rcpt-Args').map(address),
    // smtp-sink ends each mail with an empty line of its own.
    content: dump.slice(own.length).replace(/\n$/, ''),
  }
}

/** Runs the `smtp-sink` of Postfix until the test ends; it never does for root what it can do for nobody. */
export async function startSmtpSink(flags: readonly string[] = []): Promise<SmtpSink> {
  const { path, env } = postfixProgram('smtp-sink')
  const folder = await mkdtemp(join(tmpdir(), 'smtp-sink-'))
  await chmod(folder, 0o777)
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const args = [...user, '-d', 'mail.', ...flags, `inet:127.0.0.1:${port}`, '100']
  const child = spawn(path, args, { env, cwd: folder, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  if (!(await untilListening(port, child))) throw new Error(`smtp-sink ended with ${child.exitCode}`)
  return {
    port,
    async mails() {
      const names = await readdir(folder)
      const dumps = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
      return dumps.map(parseDump)
    },
  }
}
