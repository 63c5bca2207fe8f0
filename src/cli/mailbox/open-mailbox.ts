import { createClient } from '../../client'
import { Mailbox } from '../../mailbox'
import { type Connection, type ConnectionOptions, findConnection } from '../base'

/** Opens the mailbox of a key. Fails soon if the service is down, unlike a mailbox, which keeps trying. */
export async function openMailbox(
  command: string,
  options: ConnectionOptions,
  inbox?: string,
): Promise<{ mailbox: Mailbox; connection: Connection }> {
  const connection = await findConnection(command, options)
  await createClient(connection).account.get({}, { retry: false, timeoutMs: 5_000 })
  return { mailbox: await Mailbox.open({ ...connection, inbox }), connection }
}
