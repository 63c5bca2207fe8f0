import { words } from './css/syntax'

/** An open element. */
interface OpenElement<T> {
  readonly kind: Kind
  readonly attributes: ReadonlyMap<string, string>
  readonly state: T
}

/** Callbacks for elements that open and close. */
interface ElementHooks<T> {
  /** Returns the state of an element within another. */
  open(name: string, attributes: ReadonlyMap<string, string>, parent: T): T
  /** Called for each opened element, the innermost first. */
  close(): void
}

export const voidElements = words('area base br col embed hr img input link meta param source track wbr')
const noAttributes: ReadonlyMap<string, string> = new Map()

/** Elements that reopen automatically after the end of an element around them (HTML §13.2.4.3). */
const formatting = words('a b big code em font i nobr s small strike strong tt u')
/** A closing tag within one of these closes nothing around it. */
const scopes = words('html table caption td th template marquee object applet button')
const paragraphEnds = words(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp dd dt',
)
/** A closing tag of an unknown element, or of text, does not reach beyond these. */
const special = words(
  'address article aside blockquote body button caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup html iframe li listing main marquee menu nav object ol p pre search section select summary table tbody td template textarea tfoot th thead tr ul xmp',
)
/** A list item ends the one before it across these. */
const light = words('address div p li dd dt')
const rows = words('tbody thead tfoot')
const tableParts = words('table caption colgroup tbody thead tfoot tr')
const cells = words('caption tbody thead tfoot tr td th')
/** Tags that end a drawing around them (HTML §13.2.6.5), unless it has a place for HTML. */
const endsDrawing = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 hr i img li listing menu nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)
const outsideBody = words('html head meta link base title style script template noscript')
/** Elements of one name: the effects of their tags, and where they are open. */
interface Kind {
  readonly name: string
  readonly isVoid: boolean
  readonly isFormatting: boolean
  readonly isScope: boolean
  readonly isSpecial: boolean
  /** A list item does not end the one before it across these. */
  readonly isWall: boolean
  readonly isPart: boolean
  readonly isCell: boolean
  readonly isHeading: boolean
  readonly endsParagraph: boolean
  readonly places: number[]
}

const kindOf = (name: string): Kind => ({
  name,
  isVoid: voidElements.has(name),
  isFormatting: formatting.has(name),
  isScope: scopes.has(name),
  isSpecial: special.has(name),
  isWall: special.has(name) && !light.has(name),
  isPart: tableParts.has(name),
  isCell: cells.has(name),
  isHeading: /^h[1-6]$/.test(name),
  endsParagraph: paragraphEnds.has(name),
  places: [],
})

const lastOf = (places: readonly number[]): number =>
  places.length === 0 ? -1 : (places[places.length - 1] as number)

const maxReopened = 12
/** Limit that only hostile HTML reaches with its crossing tags; beyond it, elements stay open. */
const maxReopenedInAll = 50_000

/**
 * Tracks the elements around a position in an HTML page, from its tags, as browsers do. Handles missing end
 * tags, crossing tags, and text between the cells of a table. Linear time, no recursion.
 */
export class OpenElements<T> {
  readonly #root: T
  readonly #hooks: ElementHooks<T>
  readonly #open: OpenElement<T>[] = []
  readonly #kinds = new Map<string, Kind>()
  readonly #tables = this.#kind('table').places
  readonly #paragraphs = this.#kind('p').places
  readonly #drawings = this.#kind('svg').places
  /** Positions of open elements by category, under any name. */
  readonly #scopes: number[] = []
  readonly #specials: number[] = []
  readonly #walls: number[] = []
  #reopened = 0

  constructor(root: T, hooks: ElementHooks<T>) {
    this.#root = root
    this.#hooks = hooks
  }

  /**
   * Returns the state of the element that holds the next text. Text between table cells goes before the
   * table.
   */
  get state(): T {
    const top = this.#top
    if (!top) return this.#root
    return top.kind.isPart && top.kind.name !== 'caption' ? this.#beforeTable() : top.state
  }

  /** Notes a text, which implies a body around it. */
  startText(): void {
    this.#startBody('')
  }

  /** Opens an element and returns the state within it. */
  start(name: string, attributes: ReadonlyMap<string, string>): T {
    if (name === 'html' ? this.#open.length > 0 : name === 'head') return this.state
    this.#startBody(name)
    const kind = this.#kind(name)
    this.#endBefore(kind)
    if (kind.isCell && this.#tables.length === 0) return this.state
    if (!kind.isVoid) return this.#push(kind, attributes)
    const state = this.#hooks.open(name, attributes, this.#parentOf(kind))
    this.#hooks.close()
    return state
  }

  /** Handles a closing tag; returns the state within the element that it closes, or null for none. */
  end(name: string): T | null {
    if (name === 'html' || name === 'body') return null
    const kind = this.#kind(name)
    const at = lastOf(kind.places)
    if (at < 0) return null
    if (at < lastOf(kind.isPart || kind.isCell ? this.#tables : this.#scopes))
      if (name !== 'table' && !kind.isScope) return null
    if (name === 'li' && at < Math.max(this.#last('ul'), this.#last('ol'))) return null
    const { state } = this.#open[at]!
    if (kind.isFormatting) this.#closeFormatting(at)
    else if (kind.isSpecial || lastOf(this.#specials) < at) this.#closeTo(at)
    else return null
    return state
  }

  #kind(name: string): Kind {
    const known = this.#kinds.get(name)
    if (known) return known
    const kind = kindOf(name)
    this.#kinds.set(name, kind)
    return kind
  }

  /** Opens the page and its body, which messages may leave out. */
  #startBody(name: string): void {
    if (this.#open.length > 1) return
    if (this.#open.length === 0 && name !== 'html') this.#push(this.#kind('html'), noAttributes)
    if (this.#open.length === 1 && name !== 'body' && !outsideBody.has(name))
      this.#push(this.#kind('body'), noAttributes)
  }

  get #top(): OpenElement<T> | undefined {
    return this.#open[this.#open.length - 1]
  }

  #beforeTable(): T {
    const before = this.#open[lastOf(this.#tables) - 1]
    return before ? before.state : this.#root
  }

  #parentOf({ name, isCell }: Kind): T {
    if (!isCell && name !== 'colgroup' && name !== 'col') return this.state
    const top = this.#top
    return top ? top.state : this.#root
  }

  #last(name: string): number {
    return lastOf(this.#kind(name).places)
  }

  /** Closes the elements that an opening tag ends implicitly. */
  #endBefore({ name, isCell, isHeading, endsParagraph }: Kind): void {
    if (this.#drawings.length > 0 && endsDrawing.has(name)) this.#endDrawing()
    if (isCell) this.#endCells(name)
    if (endsParagraph && lastOf(this.#paragraphs) > lastOf(this.#scopes))
      this.#closeTo(lastOf(this.#paragraphs))
    if (name === 'li') this.#closeIn(lastOf(this.#walls), 'li')
    else if (name === 'dd' || name === 'dt') this.#closeIn(lastOf(this.#walls), 'dd', 'dt')
    else if (name === 'table' && this.#top?.kind.isPart) this.#closeTo(lastOf(this.#tables))
    else if (name === 'option' || name === 'optgroup') this.#closeIn(this.#last('select'), 'option')
    else if (name === 'a' || name === 'nobr') {
      const at = this.#last(name)
      if (at > lastOf(this.#scopes)) this.#closeFormatting(at)
    } else if (isHeading && this.#top?.kind.isHeading) this.#pop()
  }

  #endDrawing(): void {
    const places = Math.max(this.#last('foreignobject'), this.#last('desc'), lastOf(this.#scopes))
    // From the innermost on, so that each is examined once.
    while (lastOf(this.#drawings) > places) this.#closeTo(lastOf(this.#drawings))
  }

  #endCells(name: string): void {
    const table = lastOf(this.#tables)
    this.#closeIn(table, 'caption', 'colgroup')
    if (rows.has(name) || name === 'caption')
      this.#closeIn(table, 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th')
    else if (name === 'tr') this.#closeIn(table, 'tr', 'td', 'th')
    else this.#closeIn(table, 'td', 'th')
  }

  /** Closes the outermost element, among the last ones of these names, that is open above a position. */
  #closeIn(above: number, ...names: string[]): void {
    let first = Number.POSITIVE_INFINITY
    for (const name of names) {
      const at = this.#last(name)
      if (at > above && at < first) first = at
    }
    if (first < Number.POSITIVE_INFINITY) this.#closeTo(first)
  }

  #push(kind: Kind, attributes: ReadonlyMap<string, string>): T {
    const state = this.#hooks.open(kind.name, attributes, this.#parentOf(kind))
    const at = this.#open.length
    this.#open.push({ kind, attributes, state })
    kind.places.push(at)
    if (kind.isScope) this.#scopes.push(at)
    if (kind.isSpecial) this.#specials.push(at)
    if (kind.isWall) this.#walls.push(at)
    return state
  }

  #pop(): OpenElement<T> {
    const element = this.#open.pop()!
    const { kind } = element
    kind.places.pop()
    if (kind.isScope) this.#scopes.pop()
    if (kind.isSpecial) this.#specials.pop()
    if (kind.isWall) this.#walls.pop()
    this.#hooks.close()
    return element
  }

  /** Closes an element and its open content; reopens formatting elements after it. */
  #closeTo(at: number): void {
    let again: OpenElement<T>[] | null = null
    while (this.#open.length > at) {
      const element = this.#pop()
      if (element.kind.isScope) again = null
      else if (element.kind.isFormatting && this.#open.length > at) {
        again ??= []
        if (again.length < maxReopened) again.push(element)
      }
    }
    if (again) for (const { kind, attributes } of again.reverse()) this.#push(kind, attributes)
  }

  /** Closes a formatting element: blocks within it stay open without it (HTML §13.2.6.4.7). */
  #closeFormatting(at: number): void {
    if (lastOf(this.#specials) < at) {
      this.#closeTo(at)
      return
    }
    const within = this.#open.slice(at + 1)
    const block = within.findIndex(({ kind }) => kind.isSpecial)
    const kept = within.filter(({ kind }, index) => index >= block || kind.isFormatting)
    this.#reopened += kept.length
    if (this.#reopened > maxReopenedInAll) return
    while (this.#open.length > at) this.#pop()
    for (const { kind, attributes } of kept) this.#push(kind, attributes)
  }
}
