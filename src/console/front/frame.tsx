import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts'

/** Lays out a page before sign-in: an introduction on one side, the content on the other. */
export function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Restante`
    heading.current?.focus()
  }, [title])
  return (
    <div class="front">
      <aside>
        <p class="brand">
          <Icon name="mark" />
          Restante
        </p>
        <p class="lead">Mail for agents, looked after by you.</p>
        <ul class="points">
          <li>
            <Icon name="mail" />
            <span>Read what your agent got and what it wrote, with the proof of who sent it.</span>
          </li>
          <li>
            <Icon name="approve" />
            <span>Approve mail before it goes out, or send it back with a reason.</span>
          </li>
          <li>
            <Icon name="key" />
            <span>Give keys, and take them back.</span>
          </li>
        </ul>
      </aside>
      <main>
        <div class="inner">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
      </main>
    </div>
  )
}
