import { InvalidArgumentError } from 'commander'
import type { Call } from './connection'

/** Iterates over all rows of a list, page by page. */
export async function* everyPage<Page extends { next_cursor: string | null }, Row>(
  read: (cursor: string | undefined) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): AsyncGenerator<Row> {
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    yield* rowsOf(page)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

/** Prints each row of a list. @param none Text for people if there are no rows. */
export async function tellRows<Row extends object>(
  { output, json }: Pick<Call, 'output' | 'json'>,
  rows: AsyncIterable<Row>,
  line: (row: Row) => string,
  none?: string,
): Promise<void> {
  let isEmpty = true
  for await (const row of rows) {
    isEmpty = false
    output.tell(line(row), row)
  }
  if (isEmpty && !json && none !== undefined) output.tell(none, {})
}

/** Returns the first `count` rows of a list. */
export async function firstRows<Row>(rows: AsyncIterable<Row>, count: number): Promise<Row[]> {
  const first: Row[] = []
  if (count === 0) return first
  for await (const row of rows) if (first.push(row) === count) break
  return first
}

/** Parses a number of rows, from 1 to 99999. */
export function countArgument(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number from 1 to 99999.')
}
