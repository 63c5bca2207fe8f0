import { fitsMedia } from './css-media'
import { matters, type Setting, settingsOf } from './css-properties'
import { readDeclarations, readStyleSheet, type StyleBlock, splitOutside } from './css-syntax'
import { legacyColorOf } from './css-values'
import { Kept } from './kept'
import {
  type Compound,
  classesOf,
  compoundsOf,
  isKnown,
  keyOf,
  keysOf,
  type Selectable,
  selects,
  weightOf,
} from './selectors'

/** The settings of a rule, with its rank among others. */
interface Rule {
  specificity: number
  order: number
  settings: readonly Setting[]
}

/** One compound of a selector, and how it stands to the one before. */
interface Step {
  compound: Compound
  before: Step | null
  isChild: boolean
  /** Depths of the open elements that fit so far. */
  depths: number[]
  /** The settings of the rule, at its last compound only. */
  rule: Rule | null
}

const MAX_RULES = 20_000
/** Selectors taken of each of two nested rules: their numbers multiply. */
const MAX_LISTED = 50
const MAX_NESTED = 1_000
/** Comparisons of an element with a selector in one mail: only a hostile one comes near. */
const MAX_COMPARISONS = 2_000_000
const MAX_KEPT = 500
const NO_STEPS: readonly Step[] = []
const NO_SETTINGS: readonly Setting[] = []

type Attributes = ReadonlyMap<string, string>

/**
 * The rules of a mail's style sheets, for its elements as they open: rules by tag, class, id and attribute, also of the
 * elements around. Other selectors hide nothing and show nothing.
 */
export class StyleRules {
  #count = 0
  #comparisons = 0
  readonly #steps = new Map<string, Step[]>()
  readonly #entered: (readonly Step[])[] = []
  readonly #classes = new Kept<string, ReadonlySet<string>>(MAX_KEPT)
  readonly #declared = new Kept<string, readonly Setting[]>(MAX_KEPT)
  readonly #joined = new Kept<string, readonly Setting[]>(MAX_KEPT)

  /** Adds a style sheet. */
  add(sheet: string): void {
    for (const block of readStyleSheet(sheet)) {
      if (this.#count >= MAX_RULES) return
      this.#addBlock(block)
    }
  }

  /**
   * Enters an element, within those that were entered and not left, and gives what is set for it, the weakest first: the
   * same list where the same is set again.
   */
  enter(name: string, attributes: Attributes): readonly Setting[] {
    const fitting = this.#steps.size > 0 ? this.#enterRules(name, attributes) : NO_STEPS
    if (attributes.size === 0 && fitting.length === 0) return NO_SETTINGS
    const hints = hintsOf(name, attributes)
    const style = attributes.get('style') ?? ''
    if (fitting.length > 0 || (hints && style)) return this.#join(hints, fitting, style)
    return this.#declaredIn(hints || style)
  }

  /** Leaves the element that was entered last. */
  leave(): void {
    for (const step of this.#entered.pop() ?? NO_STEPS) step.depths.pop()
  }

  #enterRules(name: string, attributes: Attributes): readonly Step[] {
    const fitting = this.#fitting(name, attributes)
    const depth = this.#entered.length
    for (const step of fitting) step.depths.push(depth)
    this.#entered.push(fitting)
    return fitting
  }

  #fitting(name: string, attributes: Attributes): readonly Step[] {
    const classes = this.#classes.get(attributes.get('class') ?? '', classesOf)
    const element: Selectable = { name, attributes, classes }
    const depth = this.#entered.length
    const found: Step[] = []
    for (const key of keysOf(element)) {
      for (const step of this.#steps.get(key) ?? NO_STEPS) {
        if (++this.#comparisons > MAX_COMPARISONS) return found
        if (isWithin(step, depth) && selects(step.compound, element)) found.push(step)
      }
    }
    return found
  }

  #declaredIn(style: string): readonly Setting[] {
    return style ? this.#declared.get(style, declaredIn) : NO_SETTINGS
  }

  #join(hints: string, fitting: readonly Step[], style: string): readonly Setting[] {
    const rules = fitting.flatMap(({ rule }) => rule ?? [])
    if (rules.length === 0 && !(hints && style)) return this.#declaredIn(hints || style)
    rules.sort((a, b) => a.specificity - b.specificity || a.order - b.order)
    return this.#joined.get(`${hints}|${rules.map(({ order }) => order).join()}|${style}`, () =>
      ranked([
        ...this.#declaredIn(hints),
        ...rules.flatMap(({ settings }) => settings),
        ...this.#declaredIn(style),
      ]),
    )
  }

  #addBlock({ prelude, around, declarations }: StyleBlock): void {
    if (!declarations.some(({ property }) => matters(property))) return
    const selectors = selectorsOf([...around, prelude])
    const settings = selectors.length > 0 ? declarations.flatMap(settingsOf) : []
    if (settings.length === 0) return
    for (const written of selectors) this.#addRule(written, settings)
  }

  #addRule(selector: string, settings: readonly Setting[]): void {
    const compounds = compoundsOf(selector)
    if (!compounds || this.#count >= MAX_RULES) return
    const specificity = compounds.reduce((sum, { compound }) => sum + weightOf(compound), 0)
    const order = this.#count++
    let before: Step | null = null
    for (const [at, { compound, isChild }] of compounds.entries()) {
      const rule = at === compounds.length - 1 ? { specificity, order, settings } : null
      const step: Step = { compound, before, isChild, depths: [], rule }
      const key = keyOf(compound)
      const others = this.#steps.get(key)
      if (others) others.push(step)
      else this.#steps.set(key, [step])
      before = step
    }
  }
}

const declaredIn = (style: string): readonly Setting[] => ranked(readDeclarations(style).flatMap(settingsOf))

/** Puts what is important behind all else. */
function ranked(settings: readonly Setting[]): readonly Setting[] {
  const isStrong = ({ isImportant }: Setting) => isImportant
  if (!settings.some(isStrong)) return settings
  return [...settings.filter((one) => !one.isImportant), ...settings.filter(isStrong)]
}

/** The style that attributes of HTML stand for: weaker than any other. */
function hintsOf(name: string, attributes: Attributes): string {
  let style = attributes.has('hidden') ? 'display:none;' : ''
  style += colorHint('background-color', attributes.get('bgcolor'))
  if (attributes.get('background')) style += 'background-image:url();'
  if (name === 'font') style += colorHint('color', attributes.get('color'))
  if (name === 'body') style += colorHint('color', attributes.get('text'))
  return style
}

function colorHint(property: string, written: string | undefined): string {
  const color = written && legacyColorOf(written)
  return color ? `${property}:rgb(${color.red} ${color.green} ${color.blue});` : ''
}

function isWithin({ before, isChild }: Step, depth: number): boolean {
  if (!before) return true
  const around = before.depths.at(-1)
  return around !== undefined && (!isChild || around === depth - 1)
}

/** The selectors of a rule within others; none where it does not apply. */
function selectorsOf(preludes: readonly string[]): string[] {
  if (!preludes.every((prelude) => !prelude.startsWith('@') || applies(prelude))) return []
  const written = preludes.filter((prelude) => !prelude.startsWith('@'))
  if (!written.every(isKnown)) return []
  const lists = written.map((prelude) => splitOutside(prelude, ','))
  const [outermost = [], ...nested] = lists
  return nested.reduce((outer, own) => within(outer, own), outermost).map((one) => one.trim())
}

/** Nested selectors with those around them. */
const within = (outer: readonly string[], own: readonly string[]): string[] =>
  own
    .slice(0, MAX_LISTED)
    .flatMap((one) =>
      outer
        .slice(0, MAX_LISTED)
        .map((above) => (one.includes('&') ? one.replaceAll('&', above) : `${above} ${one}`)),
    )
    .filter((one) => one.length <= MAX_NESTED)

function applies(prelude: string): boolean {
  const [, name = '', condition = ''] = /^@([\w-]+)([\s\S]*)$/.exec(prelude.toLowerCase()) ?? []
  if (name === 'media') return fitsMedia(condition)
  if (name === 'supports') return !/^\s*not\b/.test(condition)
  return name === 'layer'
}
