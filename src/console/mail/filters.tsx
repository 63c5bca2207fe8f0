import type { RefObject } from 'preact'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Label } from '../../protocol/records/label'
import { query, setQuery } from '../core/location'
import { useReading } from '../parts/reading'
import { SearchBox } from '../parts/search-box'
import { unreadIn } from './counts'
import type { MailList } from './mail-list'
import { viewOf, views } from './views'

/** Names of the search modes. */
const modes = { hybrid: 'hybrid', keyword: 'keyword', semantic: 'semantic' } as const
export type Mode = keyof typeof modes

/** Returns the search mode of an address; hybrid if it is unknown. */
export const modeOf = (name: string | null): Mode =>
  name !== null && Object.hasOwn(modes, name) ? (name as Mode) : 'hybrid'

const withCount = (name: string, count: number): string => (count > 0 ? `${name} (${count})` : name)

interface FiltersProps {
  mailbox: Mailbox
  list: MailList | null
  search: RefObject<HTMLInputElement | null>
}

function FolderSelect({ own }: { own: readonly Label[] }) {
  const view = viewOf(query.value.get('view'))
  return (
    <select
      aria-label="Folder"
      value={view.id}
      onChange={(event) => {
        const { value } = event.currentTarget
        setQuery({ view: value === 'inbox' ? null : value, message: null })
      }}
    >
      {views.map(({ id, title }) => (
        <option key={id} value={id}>
          {id === 'unread' ? withCount(title, unreadIn(null)) : title}
        </option>
      ))}
      {own.length > 0 && (
        <optgroup label="Labels">
          {own.map(({ id, name }) => (
            <option key={id} value={`label:${name}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

function InboxSelect({ mailbox }: { mailbox: Mailbox }) {
  return (
    <select
      aria-label="Filter by inbox"
      value={query.value.get('inbox') ?? ''}
      onChange={(event) => setQuery({ inbox: event.currentTarget.value || null, message: null })}
    >
      <option value="">{withCount('All inboxes', unreadIn(null))}</option>
      {mailbox.inboxes.map(({ id, address }) => (
        <option key={id} value={id}>
          {withCount(address, unreadIn(id))}
        </option>
      ))}
    </select>
  )
}

function SearchMode({ list }: Pick<FiltersProps, 'list'>) {
  const mode = modeOf(query.value.get('mode'))
  const used = list?.modeUsed.value
  return (
    <div class="row small">
      <select
        aria-label="Search mode"
        value={mode}
        onChange={(event) =>
          setQuery({ mode: event.currentTarget.value === 'hybrid' ? null : event.currentTarget.value })
        }
      >
        {Object.entries(modes).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {used && used !== mode && <span class="faint">only by {modes[modeOf(used)]}</span>}
      {list?.warnings.value.map((warning) => (
        <span key={warning} class="tag warn">
          {warning}
        </span>
      ))}
    </div>
  )
}

/** Selects and searches messages. All of its state is in the address. */
export function Filters({ mailbox, list, search }: FiltersProps) {
  const labels = useReading('labels', async (): Promise<readonly Label[]> => mailbox.labels.list())
  const looked = query.value.get('q') ?? ''
  const own = (labels.value.value ?? []).filter(({ system }) => !system)
  return (
    <div class="filters">
      <div class="choices">
        <FolderSelect own={own} />
        {mailbox.inboxes.length > 1 && <InboxSelect mailbox={mailbox} />}
      </div>
      <SearchBox field={search} onSearch={(q) => setQuery({ q, message: null })} />
      {looked !== '' && <SearchMode list={list} />}
      <datalist id="labels">
        {(labels.value.value ?? []).map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </div>
  )
}
