import type { ComponentChildren } from 'preact'
import { Button } from './button'

/** Shows that nothing is here, why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">{what}…</span>
      {[0, 1, 2, 3].map((line) => (
        <span key={line} />
      ))}
    </div>
  )
}

/** Shows an error and a button to try again. */
export function Failed({ error, again }: { error: Error; again: () => unknown }) {
  return (
    <div class="state" role="alert">
      <h2>Something went wrong</h2>
      <p>{error.message}</p>
      <Button onPress={again}>Try again</Button>
    </div>
  )
}
