import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AddressTable } from '../store/schema'

/** An inbox that an address reaches. */
export interface Reached extends Selectable<AddressTable> {
  /** The address is one that must always take mail (RFC 5321 section 4.5.1). */
  forOperator?: boolean
}

/** Recipients that were admitted a moment ago, so that a flood does not ask the database about each mail. */
export type Admissions = LRUCache<string, Reached>

/** What changes meanwhile is noticed when the mail is committed. */
const admittedForMs = 1_000

export const createAdmissions = (): Admissions => new LRUCache({ max: 10_000, ttl: admittedForMs })

/** Asks the database anew about everything that reaches this account. */
export function forgetAccountAdmissions(admissions: Admissions, tenantId: string): void {
  for (const [recipient, row] of admissions.entries())
    if (row.tenant_id === tenantId) admissions.delete(recipient)
}

/** Asks the database anew about everything that reaches this inbox. */
export function forgetAdmissions(admissions: Admissions, inboxId: string): void {
  for (const [recipient, row] of admissions.entries())
    if (row.inbox_id === inboxId) admissions.delete(recipient)
}
