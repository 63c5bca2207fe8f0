import type { Event } from '../../protocol/records/event'

/** Fields of every record that can be listed. */
export interface LiveRecord {
  readonly id: string
  readonly inbox_id: string
  readonly seq: number
}

/** A change that an event makes to the rows of a list. */
export type LiveChange<R extends LiveRecord> =
  /** The record is this now. `made`: by its first event. `moved`: the event may add it to the list. */
  | { readonly type: 'put'; readonly record: R; readonly made: boolean; readonly moved: boolean }
  | { readonly type: 'remove'; readonly which: (record: R) => boolean }
  | { readonly type: 'edit'; readonly edit: (record: R) => R }
  /** The event does not determine the new list. */
  | { readonly type: 'reread' }

/** Rules of one list. */
export interface LiveRules<R extends LiveRecord> {
  /** Most rows in the list. */
  readonly limit: number
  /** `changed`: last changed first. `made`: last created first. */
  readonly order: 'changed' | 'made'
  /** Returns the changes of an event, given the current rows. */
  changes(event: Event, held: (id: string) => R | undefined): readonly LiveChange<R>[]
  /** Returns whether a record belongs to the list; null if only the service knows. */
  matches(record: R): boolean | null
}

interface Row<R> {
  readonly record: R
  /** Sort key, greatest first: the position of its event, or a negative number in the order of the page. */
  readonly place: number
}

/** First rows of a list. Immutable: a change returns another object. */
export interface LiveRows<R extends LiveRecord> {
  readonly rows: readonly Row<R>[]
  /** True if the list continues after them. */
  readonly more: boolean
  /** True if the rows must be read again. */
  readonly spoiled: boolean
}

/** Makes the rows of a page. */
export const rowsOfPage = <R extends LiveRecord>(
  { order }: Pick<LiveRules<R>, 'order'>,
  records: readonly R[],
  more: boolean,
): LiveRows<R> => {
  const rows = records.map((record, at) => ({ record, place: order === 'changed' ? record.seq : -1 - at }))
  return { rows, more, spoiled: false }
}

const without = <R extends LiveRecord>(list: LiveRows<R>, which: (record: R) => boolean): LiveRows<R> => {
  const rows = list.rows.filter(({ record }) => !which(record))
  if (rows.length === list.rows.length) return list
  return { ...list, rows, spoiled: list.spoiled || list.more }
}

const put = <R extends LiveRecord>(
  rules: LiveRules<R>,
  list: LiveRows<R>,
  { record, made, moved }: { record: R; made: boolean; moved: boolean },
): LiveRows<R> => {
  const held = list.rows.find((row) => row.record.id === record.id)
  const belongs = rules.matches(record)
  if (belongs === null) return { ...list, spoiled: true }
  if (!belongs) return without(list, ({ id }) => id === record.id)
  const joins = made || rules.order === 'changed'
  if (!held && !joins) return moved ? { ...list, spoiled: true } : list
  const place = joins ? record.seq : (held?.place ?? 0)
  const newest = held && held.record.seq > record.seq ? held.record : record
  if (held?.record === newest && held.place >= place) return list
  const row = { record: newest, place: Math.max(place, held?.place ?? place) }
  const rows = [row, ...list.rows.filter((other) => other !== held)].sort((a, b) => b.place - a.place)
  return { ...list, rows: rows.slice(0, rules.limit), more: list.more || rows.length > rules.limit }
}

const edited = <R extends LiveRecord>(
  rules: LiveRules<R>,
  list: LiveRows<R>,
  edit: (record: R) => R,
): LiveRows<R> => {
  const rows = list.rows.map((row) => {
    const record = edit(row.record)
    return record === row.record ? row : { ...row, record }
  })
  if (rows.every((row, at) => row === list.rows[at])) return list
  const unsure = rows.some(({ record }) => rules.matches(record) === null)
  return without(
    { ...list, rows, spoiled: list.spoiled || unsure },
    (record) => rules.matches(record) === false,
  )
}

/** Returns the rows after an event; the same object if nothing changes. */
export const rowsAfter = <R extends LiveRecord>(
  rules: LiveRules<R>,
  list: LiveRows<R>,
  event: Event,
): LiveRows<R> => {
  let now = list
  const held = (id: string) => list.rows.find(({ record }) => record.id === id)?.record
  for (const change of rules.changes(event, held)) {
    if (change.type === 'put') now = put(rules, now, change)
    else if (change.type === 'remove') now = without(now, change.which)
    else if (change.type === 'edit') now = edited(rules, now, change.edit)
    else now = { ...now, spoiled: true }
  }
  return now
}
