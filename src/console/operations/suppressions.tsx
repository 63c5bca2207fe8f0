import type { Suppression } from '../../protocol/records/suppression'
import { call, readAll } from '../core/ask'
import { query, setQuery } from '../core/location'
import { tell, tellError } from '../core/notices'
import { shortTime } from '../core/times'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { None, Section } from './section'

const reasons: Record<string, string> = {
  bounce: 'hard bounce',
  complaint: 'complaint',
  manual: 'added by hand',
}
const maxShown = 200

interface SuppressionsProps {
  accountId: string
  /** Changes whenever the page is refreshed. */
  readAt: string
}

function Suppressed({ one, onRemove }: { one: Suppression; onRemove: () => Promise<void> }) {
  return (
    <li>
      <span class="cut" title={one.address}>
        {one.address}
      </span>
      <span class="cut soft small" title={one.detail ?? ''}>
        {reasons[one.reason] ?? one.reason}
        {one.detail !== null && `: ${one.detail}`}
      </span>
      <time class="small faint nowrap">{shortTime(one.created_at)}</time>
      <Button onPress={onRemove} label={`Remove ${one.address}`}>
        Remove
      </Button>
    </li>
  )
}

/** Lists suppressed addresses, with the reasons. */
export function Suppressions({ accountId, readAt }: SuppressionsProps) {
  const { value, error, again } = useReading(
    accountId,
    () => readAll<Suppression>('/suppressions', 'suppressions', accountId),
    readAt,
  )
  const words = query.value.get('address') ?? ''
  const found = (value.value ?? []).filter(({ address }) => address.includes(words.trim().toLowerCase()))
  const remove = async ({ id, address }: Suppression) => {
    await call(`/suppressions/${id}`, { method: 'DELETE', account: accountId })
    await again()
    tell(`Email can be sent to ${address} again.`, {
      undo: () =>
        void call('/suppressions', { method: 'POST', body: { address }, account: accountId })
          .then(again)
          .catch(tellError),
    })
  }
  return (
    <Section title="Suppressions" about="addresses that get no email">
      {error.value && <Failed error={error.value} again={again} />}
      {!error.value && !value.value && <Loading />}
      {value.value?.length === 0 && (
        <None>
          No suppressed addresses. One appears here when it bounces or complains, or when you add it.
        </None>
      )}
      {value.value && value.value.length > 0 && (
        <>
          <input
            class="input find"
            type="search"
            aria-label="Filter by address"
            placeholder="Filter by address"
            value={words}
            onInput={(event) => setQuery({ address: event.currentTarget.value }, { replace: true })}
          />
          <ul class="lost">
            {found.slice(0, maxShown).map((one) => (
              <Suppressed key={one.id} one={one} onRemove={() => remove(one)} />
            ))}
          </ul>
          {found.length > maxShown && (
            <p class="small faint">
              {found.length - maxShown} more addresses. Type part of an address to filter.
            </p>
          )}
          {found.length === 0 && <p class="soft">No addresses match.</p>}
        </>
      )}
    </Section>
  )
}
