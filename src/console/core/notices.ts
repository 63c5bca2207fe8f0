import { signal } from '@preact/signals'

/** A short word on what was done, with a way back where there is one. */
export interface Notice {
  text: string
  bad?: boolean
  undo?: () => void
}

/** What is said now. */
export const notice = signal<Notice | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

/** Says something; what is bad stays until something else is said or it is put away. */
export function tell(text: string, { bad = false, undo }: Omit<Notice, 'text'> = {}): void {
  clearTimeout(timer)
  notice.value = { text, bad, ...(undo && { undo }) }
  if (!bad) timer = setTimeout(() => hush(), undo ? 8_000 : 5_000)
}

export function hush(): void {
  clearTimeout(timer)
  notice.value = null
}

/** Says what went wrong. */
export const tellError = (error: unknown): void =>
  tell(error instanceof Error ? error.message : String(error), { bad: true })
