import { unescaped, words } from './syntax'

/** An element with the parts that selectors test. */
export interface Selectable {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly classes: ReadonlySet<string>
}

/** Part of a selector between two combinators. */
export interface Compound {
  tag: string | null
  ids: readonly string[]
  classes: readonly string[]
  attributes: readonly { name: string; operator: string; value: string }[]
  /** Lists of which one must match (`:is()`), or none may (`:not()`). */
  within: readonly { isIn: boolean; compounds: readonly Compound[] }[]
}

const maxCompounds = 8
const maxTested = 1_000
/** Each escape has only one reading; otherwise a mismatch would take exponential time. */
const word =
  '(?:[\\w\\u0080-\\uffff-]|\\\\(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f]))[ \\t\\r\\n\\f]?|\\\\[^\\n0-9a-f])+'
const simplePattern = new RegExp(
  `(\\*)|(${word})|\\.(${word})|#(${word})|` +
    `\\[\\s*(?:(?:\\*|${word})?\\|)?(${word})\\s*(?:([~|^$*]?=)\\s*("[^"]*"|'[^']*'|${word})\\s*([is]\\s*)?)?\\]`,
  'iy',
)
const namespace = new RegExp(`(?:\\*|${word})?\\|(?=[*\\w])`, 'iy')
const pseudoPattern = /(?<!\\):{1,2}([\w-]+)/g
const pseudoAt = /::?([\w-]+)(\()?/y
/** States that no element has before anybody touches the page, and pseudo-elements beside the text. */
const never = words(
  'active visited hover focus focus-visible focus-within target target-within fullscreen autofill modal popover-open picture-in-picture user-valid user-invalid before after marker selection backdrop placeholder file-selector-button cue part slotted grammar-error spelling-error target-text highlight view-transition picker picker-icon checkmark scroll-button scroll-marker scroll-marker-group details-content host host-context',
)
/** Pseudo-classes with the meaning of an attribute. */
const ofAttribute: Readonly<Record<string, string>> = {
  link: 'href',
  'any-link': 'href',
  '-webkit-any-link': 'href',
  checked: 'checked',
  disabled: 'disabled',
  required: 'required',
}
/** Pseudo-classes that depend on the whole page. */
const doubtful = words(
  'default defined dir empty enabled first-child first-letter first-line first-of-type has in-range indeterminate invalid is lang last-child last-of-type local-link not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type optional open out-of-range placeholder-shown playing paused muted seeking stalled buffering volume-locked past future current state read-only read-write root scope valid where heading has-slotted active-view-transition matches any -webkit-any',
)
const combinatorPattern = /\s*([>+~])\s*|\s+/y

/** Returns whether browsers know everything in a selector list: otherwise they drop its rule. */
export const isKnown = (selectors: string): boolean =>
  !selectors.includes(':') ||
  [...withoutForgiving(selectors.replace(/"[^"]*"|'[^']*'/g, '')).matchAll(pseudoPattern)].every(
    ([, written = '']) => {
      const name = written.toLowerCase()
      return (
        never.has(name) ||
        doubtful.has(name) ||
        Object.hasOwn(ofAttribute, name) ||
        name.startsWith('-webkit-')
      )
    },
  )

/** Removes the content of `:is()` and `:where()`, which may be unknown. */
const withoutForgiving = (selectors: string): string =>
  selectors.includes('(')
    ? selectors.replace(/:(?:is|where)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/gi, '')
    : selectors

/** Place of a compound relative to the one before: inside, child, next sibling, or later sibling. */
export type Relation = ' ' | '>' | '+' | '~'

export interface ReadSelector {
  steps: { compound: Compound; relation: Relation }[]
  /** True if the selector may match fewer elements than this code finds. */
  isDoubtful: boolean
}

/** Parses a selector from the outermost element to its subject; null if invalid. */
export function readSelector(selector: string): ReadSelector | null {
  const steps: ReadSelector['steps'] = []
  let isDoubtful = false
  let at = 0
  let relation: Relation = ' '
  while (at < selector.length) {
    const read = compoundAt(selector, at)
    if (!read) return null
    isDoubtful ||= read.isDoubtful
    steps.push({ compound: read.compound, relation })
    if (steps.length > maxCompounds) {
      steps.shift()
      steps[0]!.relation = ' '
      isDoubtful = true
    }
    if (read.end === selector.length) return { steps, isDoubtful }
    combinatorPattern.lastIndex = read.end
    const combinator = combinatorPattern.exec(selector)
    if (!combinator) return null
    relation = (combinator[1] ?? ' ') as Relation
    at = combinatorPattern.lastIndex
  }
  return null
}

interface ReadCompound {
  compound: Compound
  end: number
  isDoubtful: boolean
}

const neverFits = { name: '', operator: '=', value: 'never' }

function compoundAt(selector: string, start: number): ReadCompound | null {
  const ids: string[] = []
  const classes: string[] = []
  const attributes: { name: string; operator: string; value: string }[] = []
  const within: { isIn: boolean; compounds: readonly Compound[] }[] = []
  let tag: string | null = null
  let isDoubtful = false
  namespace.lastIndex = start
  let end = namespace.test(selector) ? namespace.lastIndex : start
  if (end > start + 1) isDoubtful = selector[start] !== '*'
  const first = end
  for (;;) {
    simplePattern.lastIndex = end
    const match = simplePattern.exec(selector)
    if (match) {
      const [, any, name, className, id, attribute, operator = '', value = '', mode] = match
      if ((any || name) && end > first) break
      if (name) tag = unescaped(name).toLowerCase()
      if (className) classes.push(unescaped(className))
      if (id) ids.push(unescaped(id))
      if (attribute && mode) {
        attributes.push({ name: unescaped(attribute).toLowerCase(), operator: '', value: '' })
        isDoubtful = true
      } else if (attribute)
        attributes.push({ name: unescaped(attribute).toLowerCase(), operator, value: unquoted(value) })
      end = simplePattern.lastIndex
      continue
    }
    if (selector[end] !== ':') break
    pseudoAt.lastIndex = end
    const pseudo = pseudoAt.exec(selector)
    if (!pseudo) break
    end = pseudo[2] ? endOfBrackets(selector, pseudoAt.lastIndex) : pseudoAt.lastIndex
    const name = pseudo[1]!.toLowerCase()
    const listed = pseudo[2] ? selector.slice(pseudoAt.lastIndex, end - 1) : ''
    const compounds = /^(?:is|where|not)$/.test(name) ? simpleCompounds(listed) : null
    if (compounds) within.push({ isIn: name !== 'not', compounds })
    else if (name === 'root' || name === 'scope') tag ??= 'html'
    else if (Object.hasOwn(ofAttribute, name))
      attributes.push({ name: ofAttribute[name]!, operator: '', value: '' })
    else if (doubtful.has(name)) isDoubtful = true
    else attributes.push(neverFits)
  }
  for (const tests of [ids, classes, attributes, within]) {
    isDoubtful ||= tests.length > maxTests
    tests.length = Math.min(tests.length, maxTests)
  }
  return end === start ? null : { compound: { tag, ids, classes, attributes, within }, end, isDoubtful }
}

/** Finds the end of open brackets. */
function endOfBrackets(selector: string, from: number): number {
  let depth = 1
  for (let at = from; at < selector.length; at++) {
    if (selector[at] === '(') depth++
    else if (selector[at] === ')' && --depth === 0) return at + 1
  }
  return selector.length + 1
}

const maxList = 500

/** Maximum tests of one element in a part of a selector; further ones are ignored and make it doubtful. */
const maxTests = 32

/** Returns the maximum number of tests of an element that a compound needs. */
export const costOf = ({ ids, classes, attributes, within }: Compound): number =>
  within.reduce(
    (sum, { compounds }) => sum + compounds.reduce((cost, one) => cost + costOf(one), 0),
    1 + ids.length + classes.length + attributes.reduce((cost, one) => cost + costOfAttribute(one), 0),
  )

/**
 * Returns a high cost for word searches, which split up to {@link maxTested} characters; `class` is split
 * once.
 */
const costOfAttribute = ({ name, operator }: Compound['attributes'][number]): number =>
  operator === '~=' && name !== 'class' ? 100 : 1

/** Returns a list of compounds without combinators; null for other lists. */
function simpleCompounds(listed: string): Compound[] | null {
  if (listed.length > maxList || listed.includes('(')) return null
  const read = listed.split(',').map((one) => ({ text: one.trim(), found: compoundAt(one.trim(), 0) }))
  const simple = read.flatMap(({ text, found }) =>
    found?.end === text.length && !found.isDoubtful ? found.compound : [],
  )
  return simple.length === read.length ? simple : null
}

const unquoted = (value: string): string => unescaped(/^["']/.test(value) ? value.slice(1, -1) : value)

/** Returns the specificity of a compound (Selectors 4 §17) as one number. */
export const weightOf = ({ tag, ids, classes, attributes, within }: Compound): number =>
  ids.length * 1_000_000 + (classes.length + attributes.length + within.length) * 1_000 + (tag ? 1 : 0)

/** Returns the index key of a compound, which every matching element has. */
export const keyOf = ({ tag, ids, classes }: Compound): string =>
  ids.length > 0 ? `#${ids[0]}` : classes.length > 0 ? `.${classes.at(-1)}` : (tag ?? '*')

/** Returns the index keys of an element, for the compounds that may match it. */
export function keysOf({ name, attributes, classes }: Selectable): string[] {
  const keys = ['*', name]
  const id = attributes.get('id')
  if (id) keys.push(`#${id}`)
  for (const one of classes) keys.push(`.${one}`)
  return keys
}

/** Splits a `class` attribute. */
export const classesOf = (written: string): ReadonlySet<string> =>
  new Set(written.split(/\s+/).filter(Boolean))

/** Returns whether an element matches a compound. */
export function selects(compound: Compound, element: Selectable): boolean {
  const { tag, ids, classes, attributes, within } = compound
  if (tag !== null && tag !== element.name) return false
  if (ids.some((id) => id !== element.attributes.get('id'))) return false
  if (!classes.every((one) => element.classes.has(one))) return false
  const isFitting = attributes.every(({ name, operator, value }) =>
    operator === '~=' && name === 'class'
      ? element.classes.has(value)
      : fitsAttribute(element.attributes.get(name), operator, value),
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
  if (value === '' || own.length > maxTested) return false
  if (operator === '~=') return own.split(/\s+/).includes(value)
  if (operator === '|=') return own === value || own.startsWith(`${value}-`)
  if (operator === '^=') return own.startsWith(value)
  return operator === '$=' ? own.endsWith(value) : own.includes(value)
}
