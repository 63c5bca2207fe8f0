import { useSignal } from '@preact/signals'
import type { AuditAction, AuditEntry } from '../../protocol/records/desk/audit-entry'
import { call, download } from '../core/ask'
import { query, setQuery } from '../core/location'
import { nameOf, shownLine } from '../core/shown'
import { fullTime, save } from '../core/times'
import { Button } from '../parts/button'
import { type PageProps, useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'

type Entries = { entries: AuditEntry[]; next_cursor: string | null }

/** Actions in words. An action without words is shown by its name. */
const actions: Partial<Record<AuditAction, string>> = {
  'operator.signed_in': 'Signed in',
  'key.created': 'Created an API key',
  'key.revoked': 'Revoked an API key',
  'draft.approved': 'Approved a draft',
  'draft.rejected': 'Rejected a draft',
  'thread.held': 'Held a conversation',
  'thread.released': 'Released a conversation',
  'thread.assigned': 'Assigned a conversation',
  'thread.snoozed': 'Snoozed a conversation',
  'thread.closed': 'Closed a conversation',
  'thread.reopened': 'Reopened a conversation',
  'inbox.updated': 'Changed an inbox',
  'inbox.erased': 'Erased an inbox',
  'thread.erased': 'Erased a conversation',
  'message.erased': 'Erased a message',
  'consumer.redriven': 'Redrove a consumer',
  'consumer.paused': 'Paused a consumer',
  'consumer.resumed': 'Resumed a consumer',
}
const wordsOf = (action: string) => actions[action as AuditAction] ?? action

const searchOf = (action: string | null, cursor?: string): string =>
  String(new URLSearchParams({ ...(action && { action }), ...(cursor && { cursor, limit: '100' }) }))

function Table({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Time</th>
          <th>Who</th>
          <th>Action</th>
          <th>Record</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, created_at, by, action, target }) => (
          <tr key={id}>
            <td class="nowrap">{fullTime(created_at)}</td>
            <td>{by ? nameOf(by) : 'The service'}</td>
            <td>{wordsOf(action)}</td>
            <td class="mono">{shownLine(target ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Shows who did what in an account. */
export function Page({ account: { tenant_id: account } }: PageProps) {
  const action = query.value.get('action')
  const read = (cursor?: string) => call<Entries>(`/audit?${searchOf(action, cursor)}`, { account })
  const { value, error, again } = useReading(`audit ${action}`, () => read())
  const later = useSignal<{ of: string | null; pages: Entries[] }>({ of: null, pages: [] })
  if (error.value) return <Failed error={error.value} again={again} />
  const pages = value.value ? [value.value, ...(later.value.of === action ? later.value.pages : [])] : []
  const next = pages.at(-1)?.next_cursor
  const more = async () => {
    later.value = { of: action, pages: [...pages.slice(1), await read(next!)] }
  }
  const entries = pages.flatMap((page) => page.entries)
  return (
    <div class="page">
      <header class="spread">
        <h1>Audit log</h1>
        <div class="row">
          <select
            class="input"
            aria-label="Action"
            value={action ?? ''}
            onChange={(event) => setQuery({ action: event.currentTarget.value || null })}
          >
            <option value="">All actions</option>
            {Object.entries(actions).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
          <Button
            onPress={async () =>
              save(await download(`/audit/export?${searchOf(action)}`, account), 'audit.ndjson')
            }
          >
            Export
          </Button>
        </div>
      </header>
      {!value.value ? (
        <Loading />
      ) : entries.length === 0 ? (
        <Empty title="No entries">
          <p>Sign-ins, keys, approvals, holds and other actions appear here.</p>
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it on a phone
        <section class="wide-table" aria-label="Entries" tabIndex={0}>
          <Table entries={entries} />
        </section>
      )}
      {next && <Button onPress={more}>Show more</Button>}
    </div>
  )
}
