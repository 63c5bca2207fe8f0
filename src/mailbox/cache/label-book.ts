import type { Event, Label } from '../../protocol/records'
import { BoundedMap } from '../base'
import { type Labelled, renameLabel } from './record-changes'

const byId = (one: Label, other: Label): number => (one.id < other.id ? -1 : 1)

/**
 * The labels of the account: those that the log reported, or all after a read. A record has the names of its
 * labels as of its read, and a rename does not change its position. So every record is corrected here.
 */
export class LabelBook {
  readonly #labels = new Map<string, Label>()
  readonly #deleted = new BoundedMap<true>(10_000)
  #whole = false

  /** Applies an event. */
  apply({ type, data }: Event): void {
    if (type === 'label.created' || type === 'label.updated')
      this.#labels.set(String(data.id), data as unknown as Label)
    if (type !== 'label.deleted') return
    this.#labels.delete(String(data.id))
    this.#deleted.set(String(data.id), true)
  }

  /** Adds labels that were read. The log may have newer ones by now. */
  fill(labels: readonly Label[]): void {
    for (const label of labels) {
      const held = this.#labels.get(label.id)
      if (!this.#deleted.has(label.id) && (!held || held.seq < label.seq)) this.#labels.set(label.id, label)
    }
    this.#whole = true
  }

  /** All labels, oldest first; null before they were read. */
  get all(): readonly Label[] | null {
    return this.#whole ? [...this.#labels.values()].sort(byId) : null
  }

  /** Returns the record with the current names of its labels. */
  correct<R extends Labelled>(record: R): R {
    let corrected = record
    for (const id of record.label_ids) {
      if (this.#deleted.has(id)) corrected = renameLabel(corrected, id, undefined)
      const name = this.#labels.get(id)?.name
      if (name !== undefined) corrected = renameLabel(corrected, id, name)
    }
    return corrected
  }

  clear(): void {
    this.#labels.clear()
    this.#deleted.clear()
    this.#whole = false
  }
}
