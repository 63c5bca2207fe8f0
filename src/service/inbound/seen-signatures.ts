import { sql, type Transaction } from 'kysely'
import { baseAddress, sameAddress } from '../../mail/headers/address'
import { sha256 } from '../base/secrets'
import { dayMs, minuteMs, timeOf } from '../base/time'
import type { Database } from '../store/tables/schema'
import type { InboundPorts } from './ports'

/** Time for which a signature is remembered. Most have a timestamp, which alone reveals older ones. */
const keptMs = 30 * dayMs
/** Time after the first arrival within which copies with an aligned SPF pass belong to it. */
const sameArrivalMs = 10 * minuteMs
const maxRows = 1_000

/** Arrival of a signed message: the recipients of one SMTP transaction are one arrival. */
export interface SignedArrival {
  /** Hashes of the aligned signatures. */
  signatures: readonly string[]
  recipients: readonly string[]
  /** Addresses in To and Cc, if they are signed. */
  named: readonly string[]
  spfAligned: boolean
}

/** Hashes a signature with a recipient, so that the table does not reveal recipients. */
const keyOf = (signature: string, recipient: string): string =>
  sha256(`${signature}\n${baseAddress(recipient).toLowerCase()}`)

/** Waits until no other node judges an arrival with one of the signatures. */
async function lockSignatures(tx: Transaction<Database>, signatures: readonly string[]): Promise<void> {
  // Sorted, so that two transactions never wait for each other.
  for (const signature of [...signatures].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${signature}, 0))`.execute(tx)
}

/** Notes the recipients of an arrival that are no replays. */
async function noteArrival(
  tx: Transaction<Database>,
  signatures: readonly string[],
  recipients: readonly string[],
  arrived_at: string,
): Promise<void> {
  const rows = signatures.flatMap((signature) =>
    recipients.map((recipient) => ({ signature, recipient: keyOf(signature, recipient), arrived_at })),
  )
  for (let at = 0; at < rows.length; at += maxRows)
    await tx
      .insertInto('seen_signatures')
      .values(rows.slice(at, at + maxRows))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/**
 * Returns the recipients for whom the message is no replay, and notes them. It is a replay if the same
 * signature arrived before, for other recipients. Two exceptions: a signed To or Cc names the recipient, or
 * the signing server sends further copies within ten minutes. All accounts share the table: an attacker who
 * replays a message received it elsewhere. One transaction reads and notes an arrival, before its message is
 * stored: of copies that arrive at the same moment, at any nodes, only one is the first.
 */
export async function firstRecipients(
  { store, clock }: Pick<InboundPorts, 'store' | 'clock'>,
  { signatures, recipients, named, spfAligned }: SignedArrival,
): Promise<string[]> {
  return store.write(async (tx) => {
    // SQLite runs one transaction at a time.
    if (store.dialect === 'postgres') await lockSignatures(tx, signatures)
    const seen = await tx
      .selectFrom('seen_signatures')
      .select(['signature', 'recipient', 'arrived_at'])
      .where('signature', 'in', signatures)
      .execute()
    const known = new Set(seen.map((row) => row.recipient))
    const isFirst = (signature: string, recipient: string) => {
      const times = seen.filter((row) => row.signature === signature).map((row) => row.arrived_at)
      if (times.length === 0 || known.has(keyOf(signature, recipient))) return true
      return spfAligned && clock.now() - Date.parse(times.sort()[0]!) <= sameArrivalMs
    }
    const first = recipients.filter(
      (recipient) =>
        named.some((one) => sameAddress(baseAddress(one), baseAddress(recipient))) ||
        signatures.every((signature) => isFirst(signature, recipient)),
    )
    await noteArrival(tx, signatures, first, timeOf(clock.now()))
    return first
  }, signatures[0])
}

/** Deletes old signatures. */
export async function dropSeenSignatures({
  store,
  clock,
}: Pick<InboundPorts, 'store' | 'clock'>): Promise<void> {
  const before = timeOf(clock.now() - keptMs)
  await store.write((tx) => tx.deleteFrom('seen_signatures').where('arrived_at', '<', before).execute())
}
