import type { RefObject } from 'preact'
import { query } from '../core/location'
import { Icon } from './icon'

const operators =
  'from:  to:  subject:  label:  has:attachment  before:2026-01-31  newer_than:7d  "in quotes"  -not'

interface SearchProps {
  /** The field, which a key focuses. */
  field: RefObject<HTMLInputElement | null>
  /** Gets the query; null for none. */
  onSearch: (q: string | null) => void
}

/** Field for a search. It shows the query `q` of the address. */
export function SearchBox({ field, onSearch }: SearchProps) {
  const q = query.value.get('q') ?? ''
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(String(new FormData(event.currentTarget).get('q')).trim() || null)
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          class="input"
          type="search"
          name="q"
          aria-label="Search mail"
          placeholder="Search"
          title={`Words and operators: ${operators}`}
          maxLength={2000}
          key={q}
          defaultValue={q}
        />
      </form>
    </search>
  )
}
