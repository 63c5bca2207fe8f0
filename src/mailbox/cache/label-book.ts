import type { Event, Label } from '../../protocol/records'
import { BoundedMap } from '../base'
import { type Labelled, renameLabel } from './record-changes'

const byId = (one: Label, other: Label): number => (one.id < other.id ? -1 : 1)

/**
 * The labels of the account, as far as the log told of them, or all once they were read. A record that is read says
 * the names of its labels as they were then, and has no position that a new name would move: whatever was read is
 * corrected here.
 */
export class LabelBook {
  readonly #labels = new Map<string, Label>()
  readonly #deleted = new BoundedMap<true>(10_000)
  #whole = false

  /** Takes over what an event says. */
  apply({ type, data }: Event): void {
    if (type === 'label.created' || type === 'label.updated')
      this.#labels.set(String(data.id), data as unknown as Label)
    if (type !== 'label.deleted') return
    this.#labels.delete(String(data.id))
    this.#deleted.set(String(data.id), true)
  }

  /** Takes over what was read, which the log may have gone beyond meanwhile. */
  fill(labels: readonly Label[]): void {
    for (const label of labels) {
      const held = this.#labels.get(label.id)
      if (!this.#deleted.has(label.id) && (!held || held.seq < label.seq)) this.#labels.set(label.id, label)
    }
    this.#whole = true
  }

  /** All labels, oldest first; null where they were not read yet. */
  get all(): readonly Label[] | null {
    return this.#whole ? [...this.#labels.values()].sort(byId) : null
  }

  /** The record with its labels as they are called now. */
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
