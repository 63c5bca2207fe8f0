import type { Selectable } from 'kysely'
import type { AccountTable } from '../store/schema'

/** What of an account tells how it stands: every request looks at it. */
export const standingColumns = [
  'accounts.name',
  'accounts.plan',
  'accounts.onboarding_state',
  'accounts.claimed_at',
  'accounts.sending_enabled_at',
  'accounts.unclaimed_expires_at',
  'accounts.suspended_at',
  'accounts.sending_paused_at',
  'accounts.sending_pause_reason',
  'accounts.received_messages',
  'accounts.received_bytes',
  'accounts.seq',
  'accounts.deleted_inboxes',
  'accounts.erasing_threads',
] as const

type Standing = (typeof standingColumns)[number] extends `accounts.${infer Column}` ? Column : never

/** How an account stands. */
export type AccountStanding = Pick<Selectable<AccountTable>, 'tenant_id' | (Standing & keyof AccountTable)>
