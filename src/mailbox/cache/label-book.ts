import type { Event } from '../../protocol/records/event'
import type { Label } from '../../protocol/records/label'
import type { MergedThread } from '../../protocol/records/thread'
import { BoundedMap } from '../base/bounded-map'

/** The labels of a record; names and ids have the same order. */
export interface Labelled {
  readonly labels: string[]
  readonly label_ids: string[]
}

/** Renames a label of a record; without a name, removes it. */
export const renameLabel = <R extends Labelled>(record: R, id: string, name: string | undefined): R => {
  const place = record.label_ids.indexOf(id)
  if (place < 0 || record.labels[place] === name) return record
  const labels = record.labels.toSpliced(place, 1, ...(name === undefined ? [] : [name]))
  return {
    ...record,
    labels,
    label_ids: name === undefined ? record.label_ids.toSpliced(place, 1) : record.label_ids,
  }
}

/** Moves a record to the thread that its own thread was merged into. */
export const moveToThread = <R extends { readonly thread_id: string | null }>(
  record: R,
  { id, merged_id }: Pick<MergedThread, 'id' | 'merged_id'>,
): R => (record.thread_id === merged_id ? { ...record, thread_id: id } : record)

const byId = (one: Label, other: Label): number => (one.id < other.id ? -1 : 1)

/**
 * The labels of the account: those that the log reported, or all after a read. A record has the names of its
 * labels as of its read, and a rename does not change its position. So every record is corrected here.
 */
export class LabelBook {
  readonly #labels = new Map<string, Label>()
  readonly #deleted = new BoundedMap<true>(10_000)
  #whole = false

  /** Applies an event. Returns false if a read has brought something newer. */
  apply({ type, data }: Event): boolean {
    const id = String(data.id)
    if (type === 'label.created' || type === 'label.updated') {
      if ((this.#labels.get(id)?.seq ?? 0) > Number(data.seq)) return false
      this.#labels.set(id, data as unknown as Label)
    }
    if (type === 'label.deleted') {
      this.#labels.delete(id)
      this.#deleted.set(id, true)
    }
    return true
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
