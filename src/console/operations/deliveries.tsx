import type { WebhookDelivery } from '../../protocol/records/webhook'
import { call } from '../core/ask'
import { query, setQuery } from '../core/location'
import { tell } from '../core/notices'
import { fullTime, shortTime } from '../core/times'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'

interface Page {
  deliveries: WebhookDelivery[]
  next_cursor: string | null
}

const kinds: Record<string, string> = { delivered: 'good', dead: 'wrong', pending: 'warn' }
const words: Record<string, string> = { delivered: 'delivered', dead: 'failed', pending: 'pending' }

/** Returns the result of an attempt, in a few words. */
const endOf = ({ http_status, error }: WebhookDelivery['attempts'][number]) =>
  error?.replace(/\.$/, '') ?? `HTTP ${http_status}`

function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  if (attempts.length === 0) return <p class="small faint">No attempts yet.</p>
  return (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <span class="faint">{attempt.number}</span>
          <time class="nowrap">{fullTime(attempt.started_at)}</time>
          <span class="end">{endOf(attempt)}</span>
          <span class="faint nowrap">{attempt.duration_ms} ms</span>
          {attempt.response_body && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
            <pre class="small" tabIndex={0}>
              {attempt.response_body}
            </pre>
          )}
        </li>
      ))}
    </ol>
  )
}

interface RowProps {
  delivery: WebhookDelivery
  isOn: boolean
  onAgain: (key: string) => Promise<void>
}

function Row({ delivery, isOn, onAgain }: RowProps) {
  const { event_type, event_id, status, attempts, created_at, next_attempt_at } = delivery
  const last = attempts.at(-1)
  return (
    <li>
      <details>
        <summary>
          <span class="mono cut">{event_type}</span>
          <span class={`tag ${kinds[status] ?? ''}`}>{words[status] ?? status}</span>
          <span class="cut small soft wide">
            {last ? endOf(last) : 'no attempt yet'}
            {next_attempt_at !== null && `, next attempt ${fullTime(next_attempt_at)}`}
          </span>
          <time class="small faint nowrap">{shortTime(created_at)}</time>
        </summary>
        <div class="stack">
          <p class="small soft">
            <span class="mono">{event_id}</span>
            {next_attempt_at !== null && ` · next attempt ${fullTime(next_attempt_at)}`}
          </p>
          <Attempts attempts={attempts} />
          {isOn && (
            <div>
              <Button onPress={onAgain}>Redeliver</Button>
            </div>
          )}
        </div>
      </details>
    </li>
  )
}

interface DeliveriesProps {
  accountId: string
  webhookId: string
  /** True if the webhook is enabled, so that events can be sent. */
  isOn: boolean
}

const all = { all: 'All', pending: 'Pending', dead: 'Failed', delivered: 'Delivered' }

function StatusFilter({ status }: { status: string | null }) {
  return (
    <select
      class="pick"
      aria-label="Filter by status"
      value={status ?? 'all'}
      onChange={({ currentTarget: { value } }) => setQuery({ status: value === 'all' ? null : value })}
    >
      {Object.entries(all).map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  )
}

/** Lists the events of a webhook with every attempt, newest first. */
export function Deliveries({ accountId, webhookId, isOn }: DeliveriesProps) {
  const status = query.value.get('status')
  const path = `/webhooks/${webhookId}/deliveries`
  const read = (cursor: string | null) => {
    const search = new URLSearchParams({ limit: '25', ...(status && { status }), ...(cursor && { cursor }) })
    return call<Page>(`${path}?${search}`, { account: accountId })
  }
  const { value, error, again } = useReading(`${path} ${status}`, () => read(null))
  const page = value.value
  const more = async () => {
    const next = await read(page!.next_cursor)
    // Another filter or reading has replaced the page meanwhile.
    if (value.value !== page) return
    value.value = { ...next, deliveries: [...page!.deliveries, ...next.deliveries] }
  }
  const sendAgain = async (id: string, key: string) => {
    await call(`${path}/${id}/redeliver`, { method: 'POST', account: accountId, key })
    await again()
    tell('The event is being delivered again.')
  }
  return (
    <>
      <div class="spread">
        <StatusFilter status={status} />
        <Button kind="quiet" onPress={again}>
          Refresh
        </Button>
      </div>
      {error.value && <Failed error={error.value} again={again} />}
      {!error.value && !page && <Loading />}
      {page?.deliveries.length === 0 && (
        <p class="soft">No deliveries here yet. Each event of this webhook appears here.</p>
      )}
      <ul class="deliveries">
        {page?.deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            isOn={isOn}
            onAgain={(key) => sendAgain(delivery.id, key)}
          />
        ))}
      </ul>
      {page && page.next_cursor !== null && (
        <div>
          <Button onPress={more}>Older events</Button>
        </div>
      )}
    </>
  )
}
