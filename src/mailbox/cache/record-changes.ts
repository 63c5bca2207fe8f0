import type { MergedThread } from '../../protocol/records'

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
