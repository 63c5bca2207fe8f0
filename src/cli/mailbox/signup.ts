import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { SignupAnswer } from '../../protocol/records/account'
import { createOutput, fields, jsonOption, localTime, paint, printable } from '../base/output'
import { addSecretOption } from '../base/secret-arguments'

/** Defines `restante signup`. */
export const define = (command: Command): Command =>
  addSecretOption(
    command,
    '--idempotency-key <secret>',
    '32 random bytes in URL-safe Base64. Repeat a lost request with the same value to get the same account',
    'RESTANTE_IDEMPOTENCY_KEY',
  )
    .description(
      'Create an account for an agent, with an address and an API key. The address receives email at once. The account cannot send until a person claims it with the link.',
    )
    .option('--name <name>', 'name of the account')
    .option('--local-part <name>', 'part of the address before the @ (default: chosen by the service)')
    .option(
      '--url <url>',
      'address of the service [RESTANTE_URL]',
      process.env.RESTANTE_URL || 'http://127.0.0.1:4525',
    )
    .option(...jsonOption)
    .action(signup)

interface SignupOptions {
  name?: string
  localPart?: string
  url: string
  idempotencyKey?: string
  json?: boolean
}

const summaryOf = ({ inbox, api_key, claim_url, claim_expires_at, unclaimed_expires_at }: SignupAnswer) =>
  `${fields({
    address: paint('bold', inbox.address),
    'API key': api_key,
    'claim link': claim_url,
  })}

Save the key now; commands take it from the environment:

  export RESTANTE_API_KEY=${api_key}

The address receives at once. To send, and to stay beyond ${localTime(unclaimed_expires_at)}, a human must claim
the account: give the link, which is a secret, to its operator before ${localTime(claim_expires_at)}.`

async function signup({ name, localPart, url, idempotencyKey, json }: SignupOptions): Promise<void> {
  const { createClient } = await import('../../client/client')
  const key = idempotencyKey || process.env.RESTANTE_IDEMPOTENCY_KEY || randomBytes(32).toString('base64url')
  const answer = await createClient({ url, retry: { totalMs: 1_500 } }).signups.create({
    'idempotency-key': key,
    name: name && printable(name, 100),
    local_part: localPart,
  })
  createOutput(json).tell(summaryOf(answer), answer)
}
