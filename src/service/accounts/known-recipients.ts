import type { Selectable } from 'kysely'
import { boundedMap } from '../base'
import type { AddressTable } from '../store/tables'

/** An inbox that an address reaches. */
export interface ReachedInbox extends Selectable<AddressTable> {
  /** The address is one that must always take mail (RFC 5321 section 4.5.1). */
  forOperator?: boolean
  /** The message of the inbox that a bounce to this address is about; the address is signed. */
  returnPath?: { messageId: string; domainTag: string | null }
}

/** The time for which a check counts. Changes meanwhile are noticed when the mail is committed. */
const knownForMs = 1_000

/**
 * Recipients that were checked a moment ago and found good, whoever writes to them, so that a flood does not ask the database
 * about each mail.
 */
export class KnownRecipients {
  readonly #rows = boundedMap<ReachedInbox>(10_000, knownForMs)
  /** Called when something is forgotten before its time. */
  onForget = () => {}

  get(recipient: string): ReachedInbox | undefined {
    return this.#rows.get(recipient)
  }

  has(recipient: string): boolean {
    return this.#rows.has(recipient)
  }

  add(recipient: string, row: ReachedInbox): void {
    this.#rows.set(recipient, row)
  }

  /** Asks the database anew about everything that reaches this account. */
  forgetAccount(tenantId: string): void {
    this.#forget((row) => row.tenant_id === tenantId)
  }

  /** Asks the database anew about everything that reaches this inbox. */
  forgetInbox(inboxId: string): void {
    this.#forget((row) => row.inbox_id === inboxId)
  }

  #forget(isMeant: (row: ReachedInbox) => boolean): void {
    for (const [recipient, row] of this.#rows.entries()) if (isMeant(row)) this.#rows.delete(recipient)
    this.onForget()
  }
}
