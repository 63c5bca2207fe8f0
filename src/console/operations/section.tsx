import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { query, setQuery } from '../core'

interface SectionProps {
  title: string
  /** In a word or two, beside the title. */
  about?: ComponentChildren
  children: ComponentChildren
}

/** One kind of thing that can stand still. */
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

/** Nothing of a kind is here, and what it would be good for. */
export const None = ({ children }: { children: ComponentChildren }) => <p class="none soft">{children}</p>

/** The part below one thing of a list that was opened; it comes into sight. */
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
  /** The parameter of the address that says which one is open. */
  parameter: string
  id: string
  /** On the row itself: a name, something about it, its state. */
  line: ComponentChildren
  /** Below the row while it is open: a `Detail`. */
  children: () => ComponentChildren
}

/** One thing of a list, which a press on its row opens and closes. */
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
