import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { query, setQuery } from '../core/location'

interface SectionProps {
  title: string
  /** A word or two beside the title. */
  about?: ComponentChildren
  children: ComponentChildren
}

/** Shows one kind of thing that can need attention. */
export function Section({ title, about, children }: SectionProps) {
  const id = useId()
  return (
    <section class="kind" aria-labelledby={id}>
      <header class="spread">
        <h2 id={id}>{title}</h2>
        {about && <span class="faint small">{about}</span>}
      </header>
      {children}
    </section>
  )
}

/** Shows that nothing of a kind exists, and what it is for. */
export const None = ({ children }: { children: ComponentChildren }) => <p class="none soft">{children}</p>

/** Shows the details below an open row, and scrolls them into view. */
export function Detail({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={element} class="detail stack" aria-label={label}>
      {children}
    </section>
  )
}

interface OpenRowProps {
  /** Query parameter that holds the id of the open row. */
  parameter: string
  id: string
  /** Content of the row itself: a name, a note, the state. */
  line: ComponentChildren
  /** Content below the open row: a `Detail`. */
  children: () => ComponentChildren
}

/** Shows a row that a click opens and closes. */
export function OpenRow({ parameter, id, line, children }: OpenRowProps) {
  const isOpen = query.value.get(parameter) === id
  return (
    <li class={isOpen ? 'open' : ''}>
      <button
        type="button"
        class="opener"
        aria-expanded={isOpen}
        onClick={() => setQuery({ [parameter]: isOpen ? null : id, status: null })}
      >
        {line}
      </button>
      {isOpen && children()}
    </li>
  )
}
