import type { Selectable } from 'kysely'
import { boundedMap } from '../base/bounded-map'
import type { AddressTable } from '../store/tables/account-tables'

/** Inbox that an address reaches. */
export interface ReachedInbox extends Selectable<AddressTable> {
  /** True if the address must always accept messages (RFC 5321 section 4.5.1). */
  forOperator?: boolean
  /** Sent message that a bounce to this signed address is about. */
  returnPath?: { messageId: string; domainTag: string | null }
}

/** Time in ms for which a check is valid. The commit of a message notices later changes. */
const knownForMs = 1_000

/** Cache of recently accepted recipients, for all senders, so that a flood does not query the database. */
export class KnownRecipients {
  readonly #rows = boundedMap<ReachedInbox>(10_000, knownForMs)
  /** Called when entries are removed early. */
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

  /** Removes all entries of an account, so that they are read again. */
  forgetAccount(tenantId: string): void {
    this.#forget((row) => row.tenant_id === tenantId)
  }

  /** Removes all entries of an inbox, so that they are read again. */
  forgetInbox(inboxId: string): void {
    this.#forget((row) => row.inbox_id === inboxId)
  }

  #forget(isMeant: (row: ReachedInbox) => boolean): void {
    for (const [recipient, row] of this.#rows.entries()) if (isMeant(row)) this.#rows.delete(recipient)
    this.onForget()
  }
}
