/** One line of a table: how many of how many, and what else is to be said. */
export type Row = [what: string, of: number, reached: number, note?: string]

/** A part of the page. */
export interface Section {
  title: string
  text: string
}

const share = (reached: number, of: number) => (of === 0 ? '' : `${((100 * reached) / of).toFixed(1)} %`)

/** The rows as a table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ([what, of, reached, note = '']) => `| ${what} | ${reached} of ${of} | ${share(reached, of)} | ${note} |`,
  )
  return ['| | | | |', '|---|---|---|---|', ...lines].join('\n')
}

/** Counts the items of a list for which something is true. */
export const count = <T>(list: readonly T[], is: (one: T) => unknown): number => list.filter(is).length

/** A text with all white space folded. */
export const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()
