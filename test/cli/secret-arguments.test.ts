import { describe, expect, it } from 'vitest'
import { runHere } from './support/in-process'

const away = ['--url', 'http://127.0.0.1:1']
const warning = (argument: string, remedy: string) =>
  `restante: Every user of this machine can read the secret in ${argument} while the command runs. ${remedy}\n`

describe('a secret on the command line', () => {
  it.each([
    ['--key', 'RESTANTE_API_KEY', ['mail', '--key', 'hush', ...away]],
    ['--key', 'RESTANTE_API_KEY', ['drafts', 'list', '--key', 'hush', ...away]],
    ['--secret', 'WEBHOOK_SECRET', ['listen', '--secret', 'whsec_hush', '--forward', 'nowhere']],
    ['--idempotency-key', 'RESTANTE_IDEMPOTENCY_KEY', ['signup', ...away, '--idempotency-key', 'hush']],
    [
      '--embeddings-key',
      'RESTANTE_EMBEDDINGS_KEY',
      ['dev', '--embeddings-key', 'hush', '--agent', 'none.ts'],
    ],
    ['--secret', 'RESTANTE_SECRET', ['dev', '--secret', 'hush', '--agent', 'none.ts']],
    ['--delivery', 'RESTANTE_DELIVERY', ['dev', '--delivery', 'smtp://a:hush@relay', '--agent', 'none.ts']],
    ['--nats-url', 'RESTANTE_NATS_URL', ['dev', '--nats-url', 'nats://hush@a', '--agent', 'none.ts']],
    [
      '--database-url',
      'RESTANTE_DATABASE_URL',
      ['admin', 'hold', '--database-url', 'postgres://a:hush@127.0.0.1:1/x'],
    ],
    [
      '<imap-url>',
      'RESTANTE_MAILBOX_PASSWORD',
      ['connect', 'imaps://kim%40example.com:hush@imap.example.com'],
    ],
  ])('gets a warning: %s, use %s', async (argument, variable, args) => {
    const { err } = await runHere(args, { RESTANTE_DATA: '/dev/null/none' })
    expect(err).toContain(warning(argument, `Set ${variable} instead.`))
    expect(err).not.toContain('hush')
  })

  it('gets a warning that programs can read', async () => {
    const { err } = await runHere(['mail', '--json', '--key', 'hush', ...away])
    expect(JSON.parse(err.split('\n')[0]!)).toMatchObject({ warning: 'secret_in_arguments' })
  })

  it('gets none if it comes by the environment, or if a URL has no password', async () => {
    const { err } = await runHere(['mail', ...away], { RESTANTE_API_KEY: 'rst_x', WEBHOOK_SECRET: 'x' })
    expect(err).toMatch(/^restante: [^\n]*could not be reached[^\n]*\n$/)
  })
})

/** Options with such names that hold no secret: a word for mail, files, a public id, and counts. */
const harmless = ['--keyword', '--key-file', '--smtp-key', '--blobs-access-key-id', '--max-sockets-per-key']
const marked = ['--key', '--secret', '--idempotency-key', '--embeddings-key', '--blobs-secret-access-key']

/** The options with values in the help of a command and of the commands below it. */
async function optionsBelow(...path: string[]): Promise<string[]> {
  const { out } = await runHere([...path, '--help'])
  const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+) <[^>]+>/gm)].map(([, flag]) => flag!)
  const names = [...out.matchAll(/^ {2}([a-z][\w-]*)(?: |$)/gm)].map(([, name]) => name!)
  const isCommand = /^(Commands|Run a service|Use a mailbox):/m.test(out)
  const below = isCommand ? names.filter((name) => name !== 'restante') : []
  const deeper: string[] = []
  for (const name of below) deeper.push(...(await optionsBelow(...path, name)))
  return [...options, ...deeper]
}

it('every option that is named like a secret is one that is warned about', async () => {
  const options = [...new Set(await optionsBelow())]
  const suspicious = options.filter((flag) => /key|secret|token|password|credential/.test(flag))
  expect(suspicious.sort()).toEqual([...harmless, ...marked].sort())
})
