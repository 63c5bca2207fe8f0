import { unescaped } from './css-syntax'

/** An element as selectors look at it. */
export interface Selectable {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly classes: ReadonlySet<string>
}

/** The part of a selector between two combinators. */
export interface Compound {
  tag: string | null
  ids: readonly string[]
  classes: readonly string[]
  attributes: readonly { name: string; operator: string; value: string }[]
  /** Lists of which one must fit (`:is()`), or none may (`:not()`). */
  within: readonly { isIn: boolean; compounds: readonly Compound[] }[]
}

const MAX_COMPOUNDS = 8
const MAX_TESTED = 1_000
const WORD = '(?:[\\w\\u0080-\\uffff-]|\\\\[0-9a-f]{1,6}\\s?|\\\\[^\\n])+'
const SIMPLE = new RegExp(
  `(\\*)|(${WORD})|\\.(${WORD})|#(${WORD})|` +
    `\\[\\s*(${WORD})\\s*(?:([~|^$*]?=)\\s*("[^"]*"|'[^']*'|${WORD})\\s*(?:[is]\\s*)?)?\\]|` +
    ':(root|link|any-link)(?![\\w(-])|:(is|where|not)\\(([^()]{1,500})\\)',
  'iy',
)
const PSEUDO = /(?<!\\):{1,2}([\w-]+)/g
const PSEUDOS = new Set(
  'active after any-link autofill backdrop before checked default defined dir disabled empty enabled first-child first-letter first-line first-of-type focus focus-visible focus-within fullscreen has hover in-range indeterminate invalid is lang last-child last-of-type link marker not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type optional out-of-range placeholder placeholder-shown read-only read-write required root scope selection target valid visited where'.split(
    ' ',
  ),
)
const COMBINATOR = /\s*(>)\s*|\s+/y

/** Tells whether browsers know all that is in a list of selectors: else they leave out its rule. */
export const isKnown = (selectors: string): boolean =>
  [...selectors.replace(/"[^"]*"|'[^']*'/g, '').matchAll(PSEUDO)].every(
    ([, name = '']) => PSEUDOS.has(name.toLowerCase()) || name.startsWith('-webkit-'),
  )

/** Reads a selector from the outermost element to the one that is meant; null where it is not understood. */
export function compoundsOf(selector: string): { compound: Compound; isChild: boolean }[] | null {
  const found: { compound: Compound; isChild: boolean }[] = []
  let at = 0
  let isChild = false
  while (at < selector.length) {
    const read = compoundAt(selector, at)
    if (!read || found.length === MAX_COMPOUNDS) return null
    found.push({ compound: read.compound, isChild })
    if (read.end === selector.length) return found
    COMBINATOR.lastIndex = read.end
    const combinator = COMBINATOR.exec(selector)
    if (!combinator) return null
    isChild = combinator[1] !== undefined
    at = COMBINATOR.lastIndex
  }
  return null
}

function compoundAt(selector: string, start: number): { compound: Compound; end: number } | null {
  const ids: string[] = []
  const classes: string[] = []
  const attributes: { name: string; operator: string; value: string }[] = []
  const within: { isIn: boolean; compounds: readonly Compound[] }[] = []
  let tag: string | null = null
  let end = start
  for (;;) {
    SIMPLE.lastIndex = end
    const match = SIMPLE.exec(selector)
    if (!match) break
    const [, any, name, className, id, attribute, operator = '', value = '', pseudo, list, listed = ''] =
      match
    if ((any || name) && end > start) break
    if (name) tag = unescaped(name).toLowerCase()
    if (className) classes.push(unescaped(className))
    if (id) ids.push(unescaped(id))
    if (attribute) attributes.push({ name: attribute.toLowerCase(), operator, value: unquoted(value) })
    if (pseudo?.toLowerCase() === 'root') tag = 'html'
    else if (pseudo) attributes.push({ name: 'href', operator: '', value: '' })
    end = SIMPLE.lastIndex
    if (list) {
      const compounds = simpleCompounds(listed)
      if (!compounds) return null
      within.push({ isIn: list.toLowerCase() !== 'not', compounds })
    }
  }
  return end === start ? null : { compound: { tag, ids, classes, attributes, within }, end }
}

/** A list of compounds without combinators; null where it is another. */
function simpleCompounds(listed: string): Compound[] | null {
  const read = listed.split(',').map((one) => ({ text: one.trim(), found: compoundAt(one.trim(), 0) }))
  const simple = read.flatMap(({ text, found }) => (found?.end === text.length ? found.compound : []))
  return simple.length === read.length ? simple : null
}

const unquoted = (value: string): string => unescaped(/^["']/.test(value) ? value.slice(1, -1) : value)

/** The specificity of a compound (Selectors 4 §17) as one number. */
export const weightOf = ({ tag, ids, classes, attributes, within }: Compound): number =>
  ids.length * 1_000_000 + (classes.length + attributes.length + within.length) * 1_000 + (tag ? 1 : 0)

/** The key under which a compound is kept: one that each element that fits it has. */
export const keyOf = ({ tag, ids, classes }: Compound): string =>
  ids.length > 0 ? `#${ids[0]}` : classes.length > 0 ? `.${classes.at(-1)}` : (tag ?? '*')

/** The keys of an element, under which the compounds that may fit it are kept. */
export function keysOf({ name, attributes, classes }: Selectable): string[] {
  const keys = ['*', name]
  const id = attributes.get('id')
  if (id) keys.push(`#${id}`)
  for (const one of classes) keys.push(`.${one}`)
  return keys
}

/** Takes a `class` attribute apart. */
export const classesOf = (written: string): ReadonlySet<string> =>
  new Set(written.split(/\s+/).filter(Boolean))

/** Tells whether an element fits a compound. */
export function selects(compound: Compound, element: Selectable): boolean {
  const { tag, ids, classes, attributes, within } = compound
  if (tag !== null && tag !== element.name) return false
  if (ids.some((id) => id !== element.attributes.get('id'))) return false
  if (!classes.every((one) => element.classes.has(one))) return false
  const isFitting = attributes.every(({ name, operator, value }) =>
    fitsAttribute(element.attributes.get(name), operator, value),
  )
  return (
    isFitting &&
    within.every(({ isIn, compounds }) => compounds.some((one) => selects(one, element)) === isIn)
  )
}

function fitsAttribute(own: string | undefined, operator: string, value: string): boolean {
  if (own === undefined) return false
  if (operator === '') return true
  if (operator === '=') return own === value
  if (value === '' || own.length > MAX_TESTED) return false
  if (operator === '~=') return own.split(/\s+/).includes(value)
  if (operator === '|=') return own === value || own.startsWith(`${value}-`)
  if (operator === '^=') return own.startsWith(value)
  return operator === '$=' ? own.endsWith(value) : own.includes(value)
}
