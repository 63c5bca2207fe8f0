import { existsSync } from 'node:fs'
import { runProgram } from './processes.mjs'

const program = [
  '/usr/sbin/smtp-source',
  '/usr/libexec/postfix/smtp-source',
  '/usr/local/sbin/smtp-source',
].find(existsSync)

/** Messages per second that a server takes from Postfix's load generator, 10 connections at a time. */
export async function acceptedPerSecond({ smtp, to, messages, reuse }) {
  if (!program) throw new Error('This needs smtp-source of Postfix (Debian: apt-get install postfix).')
  const reuseFlag = reuse ? ['-d'] : []
  const started = performance.now()
  await runProgram(program, [
    ...reuseFlag,
    '-s',
    '10',
    '-m',
    String(messages),
    '-l',
    '4096',
    '-f',
    'you@example.com',
    '-t',
    to,
    smtp,
  ])
  return messages / ((performance.now() - started) / 1000)
}
