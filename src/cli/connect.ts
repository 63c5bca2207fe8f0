import { createClient } from '../client'
import { Mailbox } from '../mailbox'
import { UsageError } from '../protocol/errors'
import type { ConnectionOptions } from './flags'

/** Opens the mailbox of a key. A mailbox is patient with a service that is away; who types a command wants to know. */
export async function connect(
  command: string,
  { url, key }: ConnectionOptions,
  inbox?: string,
): Promise<Mailbox> {
  if (!key)
    throw new UsageError(
      'key_missing',
      `Give the API key: RESTANTE_API_KEY=rst_… restante ${command} (restante dev prints one).`,
    )
  await createClient({ url, apiKey: key }).account.get({}, { retry: false, timeoutMs: 5_000 })
  return Mailbox.open({ url, apiKey: key, inbox })
}
