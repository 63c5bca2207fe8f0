import type { Account } from '../../protocol/records/account'
import { hrefOf } from '../core/location'
import { fullTime, sizeText } from '../core/times'
import { waitingCount } from '../core/waiting'
import { notSending } from './overview'
import { Section } from './section'

const of = (used: number, limit: number | null) => (limit === null ? `${used}` : `${used} of ${limit}`)

/** Shows the limits of the account, its usage, and the number of drafts that wait for approval. */
export function AccountState({ account }: { account: Account }) {
  const { limits, usage, storage, inboxes, sending_status, sending_paused_at, unclaimed_expires_at } = account
  const { received_messages, received_bytes } = limits
  const waiting = waitingCount.value
  return (
    <Section title="Account" about={account.name}>
      <dl class="facts">
        <dt>Sending</dt>
        <dd>
          {notSending[sending_status] ?? 'active'}
          {sending_paused_at !== null && ` Since ${fullTime(sending_paused_at)}.`}
        </dd>
        <dt>Waiting for approval</dt>
        <dd>
          {waiting === 0 ? (
            'none'
          ) : (
            <a href={hrefOf('/approvals', { account: account.tenant_id })}>
              {waiting === 1 ? 'one message' : `${waiting} messages`}
            </a>
          )}
        </dd>
        <dt>Inboxes</dt>
        <dd>{of(inboxes.length, limits.inboxes)}</dd>
        <dt>Storage</dt>
        <dd>
          {sizeText(storage.used_bytes)}
          {storage.max_bytes !== null && ` of ${sizeText(storage.max_bytes)}`}
        </dd>
        {received_messages !== null && (
          <>
            <dt>Received</dt>
            <dd>
              {of(usage.received_messages, received_messages)} messages, {sizeText(usage.received_bytes)}
              {received_bytes !== null && ` of ${sizeText(received_bytes)}`}
            </dd>
          </>
        )}
        <dt>Expires</dt>
        <dd>
          {unclaimed_expires_at === null
            ? 'never'
            : `${fullTime(unclaimed_expires_at)}, unless it is claimed`}
        </dd>
      </dl>
    </Section>
  )
}
