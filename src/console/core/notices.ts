import { signal } from '@preact/signals'

/** True while the browser has a network. */
export const online = signal(navigator.onLine)
for (const type of ['online', 'offline']) addEventListener(type, () => (online.value = navigator.onLine))

/** Short message about a finished action, with its undo if there is one. */
export interface Notice {
  text: string
  bad?: boolean
  undo?: () => void
}

/** Notice that is shown now. */
export const notice = signal<Notice | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a notice for 5 seconds, or 8 with an undo, or `ms`. Errors stay until replaced or dismissed. */
export function tell(
  text: string,
  { bad = false, undo, ms = undo ? 8_000 : 5_000 }: Omit<Notice, 'text'> & { ms?: number } = {},
): void {
  clearTimeout(timer)
  notice.value = { text, bad, ...(undo && { undo }) }
  if (!bad) timer = setTimeout(() => hush(), ms)
}

export function hush(): void {
  clearTimeout(timer)
  notice.value = null
}

/** Shows an error. */
export const tellError = (error: unknown): void =>
  tell(error instanceof Error ? error.message : String(error), { bad: true })
