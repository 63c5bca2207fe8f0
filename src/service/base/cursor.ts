import { refuse } from './refuse'

type Position = number | string

/** Encodes a list position, opaque to the caller. The name binds a cursor to its list. */
const encodeCursor = (list: string, position: Position): string =>
  Buffer.from(`${list}:${position}`).toString('base64url')

function positionOf(list: string, cursor: string, shape: RegExp): string {
  const [name, position] = Buffer.from(cursor, 'base64url').toString().split(':')
  if (name === list && position !== undefined && shape.test(position)) return position
  throw refuse(
    'invalid_cursor',
    'This cursor was not issued for this list: use next_cursor of the previous page, or leave it out to start again.',
  )
}

/** @throws ServiceError `invalid_cursor` */
export const decodeCursor = (list: string, cursor: string): number =>
  Number(positionOf(list, cursor, /^\d{1,15}$/))

/** Decodes the cursor of a list in order of id. @throws ServiceError `invalid_cursor` */
export const decodeIdCursor = (list: string, cursor: string): string =>
  positionOf(list, cursor, /^[\w.-]{1,64}$/)

/**
 * Decodes the cursor of a list in order of several numbers, from {@link positionOfNumbers}. @throws
 * ServiceError `invalid_cursor`
 */
export function decodeNumbersCursor(list: string, cursor: string): number[] {
  const hex = positionOf(list, cursor, /^(?:[0-9a-f]{16}){1,4}$/)
  const bytes = Buffer.from(hex, 'hex')
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleBE(i * 8))
}

/** Encodes numbers exactly as the position of a cursor. */
export function positionOfNumbers(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * 8)
  for (const [i, number] of numbers.entries()) bytes.writeDoubleBE(number, i * 8)
  return bytes.toString('hex')
}

/** Removes the extra row that shows whether there is a next page. */
export function pageOf<Row>(list: string, rows: Row[], limit: number, positionOf: (row: Row) => Position) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = rows.length > limit && last ? encodeCursor(list, positionOf(last)) : null
  return { page, next_cursor }
}
