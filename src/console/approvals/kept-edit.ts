import { editPrefix } from '../core/session'
import type { Changes } from './decide'

/** Edit as its form holds it: one string per field. */
export type Edited = Record<'to' | 'cc' | 'bcc' | 'subject' | 'text', string>

const keyOf = ({ id, seq }: { id: string; seq: number }) => `${editPrefix}${id}.${seq}`

/** Returns the unfinished edit of this version of a draft; null if there is none. */
export function keptEdit(draft: { id: string; seq: number }): Edited | null {
  const kept = sessionStorage.getItem(keyOf(draft))
  return kept === null ? null : (JSON.parse(kept) as Edited)
}

/** Stores an unfinished edit for this tab, so that leaving the page does not lose it. */
export function keepEdit(draft: { id: string; seq: number }, edited: Edited): void {
  sessionStorage.setItem(keyOf(draft), JSON.stringify(edited))
}

/** Deletes the unfinished edit of this version of a draft. */
export function dropEdit(draft: { id: string; seq: number }): void {
  sessionStorage.removeItem(keyOf(draft))
}

const addresses = (list: string) =>
  list
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter(Boolean)

/** Returns the changes that an edit makes. */
export const changesOf = ({ to, cc, bcc, subject, text }: Edited): Changes => ({
  to: addresses(to),
  cc: addresses(cc),
  bcc: addresses(bcc),
  subject,
  text,
})
