import type { Event } from '../../protocol/records'

/** The fields of every record that can be listed. */
export interface LiveRecord {
  readonly id: string
  readonly inbox_id: string
  readonly seq: number
}

/** A change of the rows of a list, as an event tells it. */
export type LiveChange<R extends LiveRecord> =
  /** The record is this now. `made` says that this is its first event, `moved` that it may join the list by it. */
  | { readonly type: 'put'; readonly record: R; readonly made: boolean; readonly moved: boolean }
  | { readonly type: 'remove'; readonly which: (record: R) => boolean }
  | { readonly type: 'edit'; readonly edit: (record: R) => R }
  /** The event does not tell what becomes of the list. */
  | { readonly type: 'reread' }

/** The rules of one list. */
export interface LiveRules<R extends LiveRecord> {
  /** The most rows that are held. */
  readonly limit: number
  /** `changed`: the last changed is first. `made`: the last made is first. */
  readonly order: 'changed' | 'made'
  /** Reads the changes from an event, given the rows that are held. */
  changes(event: Event, held: (id: string) => R | undefined): readonly LiveChange<R>[]
  /** Tells whether a record belongs to the list; null where only the service knows. */
  matches(record: R): boolean | null
}

interface Row<R> {
  readonly record: R
  /** The greatest is first: the position of its event, or below zero in the order in which it was read. */
  readonly place: number
}

/** The first rows of a list. Pure: what is changed is another one. */
export interface LiveRows<R extends LiveRecord> {
  readonly rows: readonly Row<R>[]
  /** True where the list goes on after them. */
  readonly more: boolean
  /** True where the rows must be read again. */
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

/** The rows after an event; the same where it does nothing to them. */
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
