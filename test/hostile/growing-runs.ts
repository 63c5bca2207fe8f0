/** A name, and work on an input of about so many characters. */
export type GrowingCase = readonly [name: string, work: (length: number) => unknown]

/** Repeats a text up to a length, with something before and behind it. */
export const grown = (unit: string, length: number, before = '', behind = ''): string =>
  before + unit.repeat(Math.ceil(length / unit.length)) + behind

/** Writes units that differ by their number, up to a length. */
export function numbered(length: number, unit: (number: number) => string): string {
  const units: string[] = []
  for (let size = 0; size < length; size += units.at(-1)!.length) units.push(unit(units.length))
  return units.join('')
}

const differentLetters = String.fromCharCode(...Array.from({ length: 4_096 }, (_, at) => 0x4e00 + at))

/** Runs of characters on which patterns of old went wrong, each with what makes it fail at its end. */
const hostileRuns: readonly (readonly [name: string, unit: string, before?: string, behind?: string])[] = [
  ['closing brackets', '>', 'x', 'b'],
  ['opening brackets', '<', '', 'b'],
  ['white space', ' \t', 'x', 'x'],
  ['equals signs', ' =', 'a'],
  ['quotes', '"', 'a'],
  ['backslashes', '\\"', '"'],
  ['comments', '(', 'a'],
  ['comments in comments', '(a)', '(', 'x'],
  ['at signs', 'a@', '', ' '],
  ['dots', 'a.', '', '!'],
  ['commas', 'a,', '', ';'],
  ['angle pairs', '<a@b>', '', ' x'],
  ['encoded words', '=?utf-8?q?a?', '', '='],
  ['whole encoded words', '=?utf-8?q?=41?= ', '', '='],
  ['from words', 'from to by ', 'x', '1'],
  ['digits', '1', 'a', 'b'],
  ['dashes', '-_', 'x', 'y'],
  ['parameters', ';a*0*=b', 'text/plain', 'x'],
  ['per cent signs', '%', "a*=u'", ''],
  ['letters of every writing', 'aß中', ' ', '\ufffd'],
  ['combining marks', '\u0301\u0327', 'a', 'b'],
  ['half-width marks', '\u0301\uff9e', 'a', 'b'],
  ['different letters', differentLetters, 'x', '.'],
]

/** Work on a text, with each hostile run. */
export const named = (name: string, work: (text: string) => unknown): GrowingCase[] =>
  hostileRuns.map(([run, unit, before, behind]) => [
    `${name}: ${run}`,
    (length) => work(grown(unit, length, before, behind)),
  ])
