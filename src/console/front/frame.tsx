import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icon'

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
        <p class="lead">Email for AI agents, under your control.</p>
        <ul class="points">
          <li>
            <Icon name="mail" />
            <span>
              Read the messages that your agent receives and sends, and see which senders are verified.
            </span>
          </li>
          <li>
            <Icon name="approve" />
            <span>Approve messages before they are sent, or reject them with a reason.</span>
          </li>
          <li>
            <Icon name="key" />
            <span>Create and revoke API keys.</span>
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
