import { legacyColorOf } from './colors'
import { Kept, KeptOfTexts } from './kept'
import { fitsMedia } from './media'
import { over } from './overlap'
import { matters, type Setting, settingsOf, undecided } from './properties'
import {
  type Compound,
  classesOf,
  costOf,
  isKnown,
  keyOf,
  keysOf,
  type ReadSelector,
  type Relation,
  readSelector,
  type Selectable,
  selects,
  weightOf,
} from './selectors'
import { readDeclarations, readStyleSheet, type StyleBlock, splitOutside, words } from './syntax'

/** Settings of a rule, with its rank among others. */
interface Rule {
  specificity: number
  order: number
  settings: readonly Setting[]
}

/** One compound of a selector, and its relation to the one before. */
interface Step {
  compound: Compound
  /** Maximum tests of an element that it takes. */
  cost: number
  before: Step | null
  relation: Relation
  /** Depths of the open elements that match so far. */
  depths: number[]
  /** The rule's settings, at its last compound only. */
  rule: Rule | null
}

/** An open element: the steps that it matches, and the steps that its children matched so far. */
interface Entered {
  readonly fitting: readonly Step[]
  last: ReadonlySet<Step>
  /** Steps that any earlier child matched, for `~`. */
  readonly earlier: Set<Step>
}

const maxRules = 20_000
/**
 * Maximum cost of the style sheets of a page: the tests of their selectors, their settings, and the rules
 * around theirs. A quarter of a second of work. Sheets of newsletters cost a tenth.
 */
const maxSheetCost = 40_000
/** Selectors used of each of two nested rules: their numbers multiply. */
const maxListed = 50
const maxNested = 1_000
/**
 * Maximum steps for the pages of one message: tests of elements against selectors, and properties that rules
 * set for an element. A third of a second of work.
 */
const maxSteps = 400_000
/** Steps allowed for a page of any length; honest newsletters of 60 KB take 3,000 tests. */
const minSteps = 200_000
/** Steps allowed for each character of a page: rules times elements would be quadratic. */
const stepsPerCharacter = 8
const maxKept = 500
const maxKeptSettings = 50
const noSteps: readonly Step[] = []
const noLast: ReadonlySet<Step> = new Set()
const maxFrames = 5
/** Doubtful rules are numbered separately, below the frames of animations. */
const framesInDoubt = maxRules + 1
const noSettings: readonly Setting[] = []

type Attributes = ReadonlyMap<string, string>

/**
 * Rules of a message's style sheets, for its elements as they open. Selects by tag, class, id and attribute,
 * also of the elements around and before. If a selector or condition is not understood, its settings are
 * marked as doubtful.
 */
export class StyleRules {
  #count = 0
  #stepsLeft: number
  readonly #steps = new Map<string, Step[]>()
  readonly #entered: Entered[] = [{ fitting: noSteps, last: noLast, earlier: new Set() }]
  /** Frames of animations by name. */
  readonly #frames = new Map<string, { at: number; settings: readonly Setting[] }[]>()
  /** Initial values of custom properties (`@property`). */
  readonly initial = new Map<string, string>()
  #isTooMuch = false
  #sheetCost = 0
  /** True if a rule selects by previous siblings. */
  #hasSiblings = false
  readonly #classes = new Kept<string, ReadonlySet<string>>(maxKept)
  readonly #animated = new Kept<string, readonly Setting[]>(maxKept)
  readonly #hinted = new Kept<string, readonly Setting[]>(maxKept)
  readonly #joined = new Kept<string, readonly Setting[]>(maxKept)

  /**
   * @param length of the page in characters, which bounds the work for its elements
   * @param pages among which the steps of a message are divided
   */
  constructor(length: number, pages = 1) {
    this.#stepsLeft = Math.min(maxSteps / pages, minSteps + stepsPerCharacter * length)
  }

  /** True if a limit was exceeded: it is unknown which parts of the page are visible. */
  get isTooMuch(): boolean {
    return this.#isTooMuch
  }

  /**
   * Adds a style sheet.
   *
   * @param media media query of its element
   * @param isDoubted true if it is unknown whether the sheet applies to the page
   */
  add(sheet: string, { media = '', isDoubted = false } = {}): void {
    const answer = media.trim() ? applies(`@media ${media}`) : 'yes'
    if (answer === 'no') return
    const isUnsure = isDoubted || answer === 'unknown'
    // Nothing of the page is shown then.
    if (this.#isTooMuch) return
    for (const block of sheets.get(sheet)) {
      this.#sheetCost += block.cost
      if (this.#count >= maxRules || this.#sheetCost > maxSheetCost) {
        this.#isTooMuch = true
        return
      }
      this.#addBlock(isUnsure && !block.isDoubtful ? { ...block, isDoubtful: true } : block)
    }
  }

  /**
   * Enters an element within the open ones and returns its settings, the weakest first. Equal settings are
   * the same list.
   */
  enter(name: string, attributes: Attributes): readonly Setting[] {
    const fitting = this.#steps.size > 0 ? this.#enterRules(name, attributes) : noSteps
    if (attributes.size === 0 && fitting.length === 0) return noSettings
    const hints = hintsOf(name, attributes)
    const style = attributes.get('style') ?? ''
    if (fitting.length > 0 || (hints && style)) {
      const settings = this.#join(hints, fitting, style)
      return this.#takes(settings.length) ? settings : noSettings
    }
    return hints ? this.#hinted.get(hints, hinted) : this.#declaredIn(style)
  }

  /** Leaves the element that was entered last. */
  leave(): void {
    if (this.#steps.size > 0) for (const step of this.#entered.pop()?.fitting ?? noSteps) step.depths.pop()
  }

  /** Counts steps; returns whether the page still has this many. */
  #takes(steps: number): boolean {
    this.#stepsLeft -= steps
    this.#isTooMuch ||= this.#stepsLeft < 0
    return this.#stepsLeft >= 0
  }

  #enterRules(name: string, attributes: Attributes): readonly Step[] {
    const around = this.#entered[this.#entered.length - 1]!
    const fitting = this.#fitting(name, attributes, around)
    const depth = this.#entered.length
    for (const step of fitting) step.depths.push(depth)
    if (this.#hasSiblings) {
      around.last = new Set(fitting)
      for (const step of fitting) around.earlier.add(step)
    }
    this.#entered.push({ fitting, last: noLast, earlier: new Set() })
    return fitting
  }

  #fitting(name: string, attributes: Attributes, around: Entered): readonly Step[] {
    const classes = this.#classes.get(attributes.get('class') ?? '', classesOf)
    const element: Selectable = { name, attributes, classes }
    const depth = this.#entered.length
    const found: Step[] = []
    for (const key of keysOf(element)) {
      for (const step of this.#steps.get(key) ?? noSteps) {
        if (!this.#takes(step.cost)) return found
        if (stands(step, depth, around) && selects(step.compound, element)) found.push(step)
      }
    }
    return found
  }

  #declaredIn(style: string): readonly Setting[] {
    if (!style) return noSettings
    const declared = declaredSettings.get(style)
    return this.#frames.size === 0 ? declared : this.#animated.get(style, () => this.#withFrames(declared))
  }

  #join(hints: string, fitting: readonly Step[], style: string): readonly Setting[] {
    const rules = fitting.flatMap(({ rule }) => rule ?? [])
    if (rules.length === 0 && !hints) return this.#declaredIn(style)
    if (rules.length === 0 && !style) return this.#hinted.get(hints, hinted)
    rules.sort((a, b) => a.specificity - b.specificity || a.order - b.order)
    return this.#joined.get(`${hints}|${rules.map(({ order }) => order).join()}|${style}`, () =>
      this.#withFrames(
        ranked([
          ...this.#hinted.get(hints, hinted),
          ...rules.flatMap(({ settings }) => settings),
          ...this.#declaredIn(style),
        ]),
      ),
    )
  }

  /** Marks settings of an animation as doubtful; of a short one, only those of its end. */
  #withFrames(settings: readonly Setting[]): readonly Setting[] {
    if (this.#frames.size === 0) return settings
    const written = settings
      .filter(({ property }) => /^animation(?:-|$)/.test(property))
      .map(({ value }) => value)
    const names = written.join(' ').split(/[\s,]+/)
    const frames = names.flatMap((name) => this.#frames.get(name) ?? []).sort((a, b) => a.at - b.at)
    if (frames.length === 0) return settings
    if (written.length > 1 || !isSoonOver(written[0]!)) {
      if (frames.length > maxFrames) return [...settings, { ...nobodyKnows, doubt: framesInDoubt }]
      return [...settings, ...frames.flatMap((frame, at) => inDoubt(frame.settings, framesInDoubt + at))]
    }
    const end = frames.filter(({ at }) => at === frames[frames.length - 1]!.at && at === 100)
    return [
      ...settings,
      ...inDoubt(
        end.flatMap((frame) => frame.settings),
        framesInDoubt,
      ),
    ]
  }

  #addBlock({ initial, isTooMuch, frame, selectors, settings, isDoubtful }: Block): void {
    if (initial) this.initial.set(initial.name, initial.value)
    this.#isTooMuch ||= isTooMuch
    if (frame) this.#addFrame(frame.name, frame.at, frame.settings)
    for (const selector of selectors) this.#addRule(selector, settings, isDoubtful)
  }

  #addFrame(name: string, at: number, settings: readonly Setting[]): void {
    const frames = this.#frames.get(name) ?? []
    if (frames.length <= maxFrames) frames.push({ at, settings })
    this.#frames.set(name, frames)
  }

  #addRule(read: ReadSelector, settings: readonly Setting[], isInDoubt: boolean): void {
    if (this.#count >= maxRules) {
      this.#isTooMuch = true
      return
    }
    const specificity = read.steps.reduce((sum, { compound }) => sum + weightOf(compound), 0)
    const order = this.#count++
    const own = isInDoubt || read.isDoubtful ? inDoubt(settings, order + 1) : settings
    let before: Step | null = null
    for (const [at, { compound, relation }] of read.steps.entries()) {
      if (relation === '+' || relation === '~') this.#hasSiblings = true
      const rule = at === read.steps.length - 1 ? { specificity, order, settings: own } : null
      const step: Step = { compound, cost: costOf(compound), before, relation, depths: [], rule }
      const key = keyOf(compound)
      const others = this.#steps.get(key)
      if (others) others.push(step)
      else this.#steps.set(key, [step])
      before = step
    }
  }
}

/** A parsed rule of a style sheet, for any page. */
interface Block {
  /** Initial value of a custom property. */
  initial: { name: string; value: string } | null
  /** True if it is unknown which parts of a page with this rule are visible. */
  isTooMuch: boolean
  /** A frame of an animation. */
  frame: { name: string; at: number; settings: readonly Setting[] } | null
  selectors: readonly ReadSelector[]
  settings: readonly Setting[]
  isDoubtful: boolean
  /** Cost of reading it; see {@link maxSheetCost}. */
  cost: number
}

const noRules: Block = {
  cost: 0,
  initial: null,
  isTooMuch: false,
  frame: null,
  selectors: [],
  settings: noSettings,
  isDoubtful: false,
}

const sheets = new KeptOfTexts<readonly Block[]>(
  {
    max: 16,
    maxLength: 32 * 1024,
    isLittle: (blocks) => blocks.reduce((sum, { selectors }) => sum + selectors.length, 0) <= maxKept,
  },
  blocksOf,
)
const declaredSettings = new KeptOfTexts<readonly Setting[]>(
  { max: maxKept, maxLength: maxKept, isLittle: ({ length }) => length <= maxKeptSettings },
  (style) => ranked(readDeclarations(style).flatMap(settingsOf)),
)

/** Matches declarations that may limit a sheet to elements outside HTML. */
const ofNamespace = /@namespace[\s/]*(?:url|["'])|@[a-z]{0,9}\\/i

/** Returns the cost of a rule: the rules around it, the tests of its selectors, and its settings. */
const costOfBlock = (around: number, { selectors, settings }: Block): number =>
  selectors.reduce(
    (sum, { steps }) => sum + steps.reduce((tests, { compound }) => tests + costOf(compound), 0),
    around + settings.length,
  )

/** Reads the rules of a style sheet that affect visibility. Stops where they cost too much. */
function blocksOf(sheet: string): Block[] {
  const conditions = new Kept<string, Answer>(maxKept)
  const answerTo = (condition: string) => conditions.get(condition, applies)
  const blocks: Block[] = []
  const isDoubtful = ofNamespace.test(sheet)
  let total = 0
  for (const written of readStyleSheet(sheet)) {
    const block = blockOf(written, answerTo)
    const cost = costOfBlock(written.around.length, block ?? noRules)
    if (block) blocks.push({ ...block, cost, isDoubtful: isDoubtful || block.isDoubtful })
    total += cost
    if (total > maxSheetCost) return [...blocks, { ...noRules, isTooMuch: true, cost: total }]
  }
  return blocks
}

function blockOf(block: StyleBlock, answerTo: (condition: string) => Answer): Block | null {
  const { prelude, declarations } = block
  const isTooMuch = prelude === '@font-face' && declarations.some(isOddFont)
  const initial = initialOf(block)
  if (!declarations.some(({ property }) => matters(property)))
    return initial || isTooMuch ? { ...noRules, initial, isTooMuch } : null
  if (beside.test(prelude)) return blockBeside(block, answerTo)
  const settings = declarations.flatMap(settingsOf)
  const rules = settings.length > 0 ? selectorsFor(block, answerTo) : noRules
  return { ...noRules, ...rules, initial, isTooMuch, settings, frame: frameOf(block, settings) }
}

/** Content before or after the text of an element. */
const beside = /:{1,2}(?:before|after)\s*$/i

/** Reads a rule for content beside the text of an element, which may be drawn over the text. */
function blockBeside(block: StyleBlock, answerTo: (condition: string) => Answer): Block | null {
  const style = new Map(
    block.declarations.flatMap(settingsOf).map(({ property, value }) => [property, value]),
  )
  const isPainted = style.has('background-color') || style.has('background-image')
  const isOver =
    /absolute|fixed/.test(style.get('position') ?? '') ||
    [...style].some(([property, value]) => /^(?:margin|padding)-/.test(property) && /^-|^\d{2,}/.test(value))
  if (!isPainted || !isOver || /^(?:none|normal)$/.test(style.get('content') ?? 'none')) return null
  const prelude = splitOutside(block.prelude, ',')
    .map((one) => one.replace(beside, '').trim() || '*')
    .join()
  const settings = [{ property: over, value: '1', isImportant: false }]
  return { ...noRules, ...selectorsFor({ ...block, prelude }, answerTo), settings }
}

/** Returns the selectors of a rule if its conditions may hold. */
function selectorsFor(
  { prelude, around }: StyleBlock,
  answerTo: (condition: string) => Answer,
): Pick<Block, 'selectors' | 'isDoubtful'> {
  const preludes = around.concat(prelude)
  const answers = preludes.filter((one) => one.startsWith('@')).map(answerTo)
  if (answers.includes('no')) return noRules
  const { selectors, isCut } = selectorsOf(preludes)
  const read = selectors.flatMap((one) => readSelector(one) ?? [])
  // Browsers may drop a whole list for one selector that they do not understand.
  const isDoubtful = isCut || answers.includes('unknown') || read.length < selectors.length
  return { selectors: read, isDoubtful }
}

function initialOf({ prelude, declarations }: StyleBlock): Block['initial'] {
  if (!prelude.startsWith('@property')) return null
  const value = declarations.find(({ property }) => property === 'initial-value')?.value
  return value === undefined ? null : { name: prelude.slice(9).trim(), value }
}

function frameOf({ prelude, around }: StyleBlock, settings: readonly Setting[]): Block['frame'] {
  const name = /^@(?:-webkit-)?keyframes\s+["']?([\w-]+)/i.exec(around.at(-1) ?? '')?.[1]
  if (name === undefined) return null
  const at = Math.max(
    ...prelude.split(',').map((part) => (/to/i.test(part) ? 100 : Number.parseFloat(part) || 0)),
  )
  return { name: name.toLowerCase(), at, settings }
}

/** Returns whether a font draws letters much smaller than their size, or elsewhere. */
const isOddFont = ({ property, value }: Setting): boolean =>
  (property === 'size-adjust' && !(Number.parseFloat(value) >= 50)) ||
  (/^(?:ascent|descent|line-gap)-override$/.test(property) &&
    !(Number.parseFloat(value) <= 300) &&
    value !== 'normal')

const inDoubt = (settings: readonly Setting[], doubt: number): Setting[] =>
  settings.map((one) => ({ ...one, doubt }))

const nobodyKnows: Setting = { property: 'room', value: undecided, isImportant: true }

/** Returns whether an animation runs once, within seconds, from start to end. */
const isSoonOver = (written: string): boolean =>
  !/paused|infinite|reverse|-[\d.]|\(|\be[+-]?\d|\d{5}ms|\d{2}(?:\.\d*)?s\b|,/.test(written)

/** Moves important settings after the others, and doubtful ones after those. */
function ranked(settings: readonly Setting[]): readonly Setting[] {
  if (!settings.some(({ isImportant, doubt }) => isImportant || doubt)) return settings
  const rankOf = ({ isImportant, doubt }: Setting) => (doubt ? 2 : 0) + (isImportant ? 1 : 0)
  return [0, 1, 2, 3].flatMap((rank) => settings.filter((one) => rankOf(one) === rank))
}

const painted = words('body table thead tbody tfoot tr td th col colgroup marquee')
const sized = words('table thead tbody tfoot tr td th marquee')

type Hint = (element: string, value: string) => string

const nobodyKnowsRoom = `room:${undecided};`
const unknown: Hint = () => nobodyKnowsRoom
const pushing: Hint = (element, value) =>
  (element === 'table' || element === 'body') && /^\s*\+?\d{4}/.test(value) ? nobodyKnowsRoom : ''
/** Sets a size only if it is near zero: no other hides anything. */
const size =
  (property: string): Hint =>
  (element, value) => {
    const [, pixels] = small.exec(value) ?? []
    return pixels !== undefined && sized.has(element) ? `${property}:${pixels}px;` : ''
  }
const color =
  (property: string, elements: ReadonlySet<string>): Hint =>
  (element, value) => {
    const found = elements.has(element) ? legacyColorOf(value) : null
    return found ? `${property}:rgb(${found.red} ${found.green} ${found.blue});` : ''
  }
const small = /^\s*([0-2])(?:\.\d*)?\s*(?:px\s*)?$/

/** Style of an HTML attribute: weaker than any other. */
const attributeHints: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  [
    'hidden',
    (_element, value) =>
      value.toLowerCase() === 'until-found' ? 'content-visibility:hidden;' : 'display:none;',
  ],
  ['popover', (element) => (element === 'dialog' ? '' : 'display:none;')],
  ['bgcolor', color('background-color', painted)],
  ['background', (element, value) => (value && painted.has(element) ? 'background-image:url();' : '')],
  ['width', size('width')],
  ['height', size('height')],
  ['color', color('color', words('font'))],
  ['text', color('color', words('body'))],
  ['link', color('link-color', words('body'))],
  ...['mathcolor', 'mathsize', 'mathbackground'].map((name) => [name, unknown] as const),
  ...['cellspacing', 'cellpadding', 'border', 'leftmargin', 'topmargin', 'marginwidth', 'marginheight'].map(
    (name) => [name, pushing] as const,
  ),
])

function hintsOf(name: string, attributes: Attributes): string {
  let style = name === 'marquee' || name === 'textarea' ? 'overflow-x:hidden;overflow-y:hidden;' : ''
  for (const [attribute, value] of attributes) {
    const hint = attributeHints.get(attribute)
    if (hint) style += hint(name, value)
  }
  return style
}

const hinted = (hints: string): Setting[] => hints.split(';').flatMap(hintOf)

/** Reads a hint, whose name can be one that no style sheet can set. */
function hintOf(written: string): Setting[] {
  const [property, value] = written.split(':')
  return property && value ? [{ property, value, isImportant: false }] : []
}

/**
 * Returns whether an element has the place that a step requires, judged by the elements around and before it.
 */
function stands({ before, relation }: Step, depth: number, around: Entered): boolean {
  if (!before) return true
  if (relation === '+') return around.last.has(before)
  if (relation === '~') return around.earlier.has(before)
  const last = before.depths.at(-1)
  return last !== undefined && (relation === ' ' || last === depth - 1)
}

/** Returns the selectors of a nested rule; none if browsers do not know one. */
function selectorsOf(preludes: readonly string[]): { selectors: string[]; isCut: boolean } {
  const written = preludes.filter((prelude) => !prelude.startsWith('@'))
  const lists = written.map((prelude) => splitOutside(prelude, ','))
  if (!written.every(isKnown) || lists.some((list) => list.some((one) => one.trim() === '')))
    return { selectors: [], isCut: false }
  const [outermost = [], ...nested] = lists
  const isCut = nested.length > 0 && lists.some((list) => list.length > maxListed)
  const all = isCut ? ['*'] : nested.reduce((outer, own) => within(outer, own), outermost)
  return { selectors: all.map((one) => one.trim()), isCut }
}

/** Joins nested selectors with those around them. */
const within = (outer: readonly string[], own: readonly string[]): string[] =>
  own
    .slice(0, maxListed)
    .flatMap((one) =>
      outer
        .slice(0, maxListed)
        .map((above) => (one.includes('&') ? one.replaceAll('&', above) : `${above} ${one}`)),
    )
    // The end of a selector that is too long.
    .map((one) => (one.length <= maxNested ? one : one.slice(-maxNested).replace(/^\S*\s/, '')))

/** Answer to a condition, if known. */
type Answer = 'yes' | 'no' | 'unknown'
const answerOf = (holds: boolean | null): Answer => (holds === null ? 'unknown' : holds ? 'yes' : 'no')

function applies(prelude: string): Answer {
  const [, name = '', condition = ''] =
    /^@([\w-]+)([\s\S]*)$/.exec(prelude.toLowerCase().replace(/\s+/g, ' ')) ?? []
  if (name === 'media') return answerOf(fitsMedia(condition))
  if (name === 'supports') return answerOf(isSupported(condition.trim()))
  return /^(?:layer|container|scope|starting-style)$/.test(name) ? 'unknown' : 'no'
}

/** Returns whether browsers know a declaration; null if unknown. */
function isSupported(condition: string): boolean | null {
  const [, property = '', value = ''] = /^\( ?([\w-]+) ?:([^()]+)\)$/.exec(condition) ?? []
  const settings = property && settingsOf({ property, value: value.trim(), isImportant: false })
  return settings && settings.length > 0 && settings.every((one) => one.value !== undecided) ? true : null
}
