import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { SignupAnswer } from '../../protocol/records'
import { addSecretOption, createOutput, fields, jsonOption, localTime, paint, printable } from '../base'

/** Defines `restante signup`. */
export const define = (command: Command): Command =>
  addSecretOption(
    command,
    '--idempotency-key <secret>',
    '32 random bytes in URL-safe text: the same again gives the same account, where an answer was lost',
    'RESTANTE_IDEMPOTENCY_KEY',
  )
    .description(
      'Make an account for an agent, with an address that receives at once and a key. A human claims it by the link; until then it cannot send.',
    )
    .option('--name <name>', 'what the account is called')
    .option('--local-part <name>', 'what stands before the @; chosen for you without it')
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

const told = ({ inbox, api_key, claim_url, claim_expires_at, unclaimed_expires_at }: SignupAnswer) =>
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
  createOutput(json).tell(told(answer), answer)
}
