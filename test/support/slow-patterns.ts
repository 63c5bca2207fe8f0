// Finds regular expressions that a stranger's text can make slow: what time they take grows faster than the text.

/** One thing that a pattern matches, with how often. */
interface Term {
  /** The characters that it may consist of; null for what matches a place, as `\b` does. */
  set: ReadonlySet<string> | null
  /** Of a group: what it is made of. */
  branches: Term[][] | null
  min: number
  max: number
  isLook: boolean
  source: string
}

/** Characters that stand for all others: the sets of a pattern are compared by those of these that they hold. */
const sample = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u00a0éßøПбקا中はاکक：\u2028\u200b\u200e–“”№ẞ٣३\u3000\ufffd',
]
/** Above that, a repetition counts as endless. */
const maxRepeated = 1_000
const maxPaths = 5_000

const setOf = (source: string, flags: string): Set<string> => {
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''))
  return new Set(sample.filter((character) => one.test(character)))
}

/** Classes of the flag `v` have others in them. */
const plainClass = String.raw`\[(?:[^\][\\]|\\.)*\]`
const classOfPlain = String.raw`\[(?:[^\][\\]|\\.|${plainClass})*\]`
const classOfSets = new RegExp(String.raw`^\[(?:[^\][\\]|\\.|${classOfPlain})*\]`)

class Reader {
  at = 0
  constructor(
    readonly pattern: string,
    readonly flags: string,
  ) {}

  branches(): Term[][] {
    const branches: Term[][] = [[]]
    while (this.at < this.pattern.length && this.pattern[this.at] !== ')') {
      if (this.pattern[this.at] === '|') {
        this.at++
        branches.push([])
      } else branches.at(-1)!.push(this.#term())
    }
    return branches
  }

  #term(): Term {
    const start = this.at
    const term = this.pattern[start] === '(' ? this.#group() : this.#atom()
    const [all = '', min, comma, max] =
      /^(?:\{(\d+)(?:(,)(\d*))?\}|[*+?])\??/.exec(this.pattern.slice(this.at)) ?? []
    this.at += all.length
    if (all.startsWith('{'))
      Object.assign(term, { min: Number(min), max: comma ? Number(max || Infinity) : Number(min) })
    else if (all !== '')
      Object.assign(term, { min: all[0] === '+' ? 1 : 0, max: all[0] === '?' ? 1 : Infinity })
    return { ...term, source: this.pattern.slice(start, this.at) }
  }

  #group(): Term {
    const [head, kind] = /^\((\?(?:<[=!]|[=!:]|<\w+>))?/.exec(this.pattern.slice(this.at))!
    this.at += head.length
    const branches = this.branches()
    this.at++
    return { set: null, branches, min: 1, max: 1, isLook: /[=!]$/.test(kind ?? ''), source: '' }
  }

  #atom(): Term {
    const rest = this.pattern.slice(this.at)
    const nested = this.flags.includes('v') ? classOfSets.exec(rest)?.[0] : undefined
    const [source] =
      nested !== undefined
        ? [nested]
        : /^(?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\k<\w+>|\\[\s\S]|[\s\S])/iu.exec(
            rest,
          )!
    this.at += source.length
    const isPlace = /^(?:\^|\$|\\[bB])$/.test(source)
    if (/^\\(?:k<|[1-9])/.test(source))
      return { set: new Set(sample), branches: null, min: 0, max: 1, isLook: false, source }
    return {
      set: isPlace ? null : setOf(source, this.flags),
      branches: null,
      min: 1,
      max: 1,
      isLook: false,
      source,
    }
  }
}

const isEndless = ({ max }: Term) => max > maxRepeated

const hasEndless = (term: Term): boolean =>
  isEndless(term) || (term.branches?.some((branch) => branch.some(hasEndless)) ?? false)

/** All characters that a term may match. */
function charactersOf(term: Term): Set<string> {
  if (term.isLook) return new Set()
  if (term.set) return new Set(term.set)
  return new Set(term.branches?.flat().flatMap((one) => [...charactersOf(one)]))
}

/** Tells whether a term can match some text of these characters. */
function canBeOf(term: Term, characters: ReadonlySet<string>): boolean {
  if (term.min === 0 || term.isLook) return true
  if (term.branches) return term.branches.some((branch) => branch.every((one) => canBeOf(one, characters)))
  return term.set === null || [...term.set].some((one) => characters.has(one))
}

/** The ways through a pattern, with every endless repetition as one term of it. */
function pathsOf(branches: readonly Term[][]): Term[][] {
  return branches.flatMap((branch) =>
    branch.reduce<Term[][]>(
      (paths, term) => {
        const ways = waysOf(term)
        const all = paths.flatMap((path) => ways.map((way) => [...path, ...way]))
        if (all.length > maxPaths) throw new Error('the pattern has too many ways through it')
        return all
      },
      [[]],
    ),
  )
}

function waysOf(term: Term): Term[][] {
  if (!term.branches || isEndless(term) || !hasEndless(term)) return [[term]]
  const once = pathsOf(term.branches)
  // Two rounds show how one meets the next.
  const rounds = term.max > 1 ? once.flatMap((first) => once.map((next) => [...first, ...next])) : once
  return term.min === 0 ? [...rounds, []] : rounds
}

/** Tells whether a repeated group can match the same text in two ways: that takes exponential time. */
function isNested(term: Term): boolean {
  if (!term.branches) return false
  if (!isEndless(term)) return term.branches.some((branch) => branch.some(isNested))
  return pathsOf(term.branches).some((path) =>
    path.some((one, at) => {
      if (!isEndless(one)) return isNested(one)
      const characters = charactersOf(one)
      const others = [...path.slice(at + 1), ...path.slice(0, at)].filter(({ isLook }) => !isLook)
      return canBeOf(once(one), characters) && others.every((other) => canBeOf(other, characters))
    }),
  )
}

const isStart = ({ source }: Term) => source === '^'
const consumes = (term: Term) => term.set !== null || (term.branches !== null && !term.isLook)

const once = (term: Term): Term => ({ ...term, min: 1, max: 1 })

/** Tells whether a term takes all that is left, and so never fails: `[\s\S]*$`. */
const isRest = (path: readonly Term[], at: number, flags: string): boolean => {
  const { set } = path[at]!
  const takesAll = set !== null && sample.every((one) => set.has(one))
  return takesAll && !flags.includes('m') && path.slice(at + 1).every(({ source }) => source === '$')
}

/** Why a way through a pattern takes time that grows with the square of a text; null where it does not. */
function slowness(path: readonly Term[], flags: string): string | null {
  const isAnchored =
    flags.includes('y') || (path[0] !== undefined && isStart(path[0]) && !flags.includes('m'))
  for (const [at, term] of path.entries()) {
    if (!isEndless(term) || term.isLook) continue
    const characters = charactersOf(term)
    const mayFail = !isRest(path, at, flags) && path.slice(at + 1).some((one) => one.min > 0)
    const isFromAnywhere = path.slice(0, at).every((one) => canBeOf(one, characters) && !isStart(one))
    const isLookedBehind = path[at - 1]?.source.startsWith('(?<!')
    if (mayFail && !isAnchored && isFromAnywhere && !isLookedBehind)
      return `${term.source} is tried from each place of a text that it matches`
    const next = path.findIndex((one, index) => index > at && isEndless(one) && consumes(one))
    if (next < 0 || isRest(path, next, flags) || !path.slice(next + 1).some((one) => one.min > 0)) continue
    const other = charactersOf(path[next]!)
    const both = new Set([...characters].filter((one) => other.has(one)))
    const between = [once(term), ...path.slice(at + 1, next), once(path[next]!)]
    if (both.size > 0 && between.every((one) => canBeOf(one, both)))
      return `${term.source} and ${path[next]!.source} can share a text in many ways`
  }
  return null
}

/** Tells why a regular expression may take more than linear time; null where it does not. */
export function whySlow(pattern: string, flags = ''): string | null {
  const branches = new Reader(pattern, flags).branches()
  const nested = branches.flat().find(isNested)
  if (nested) return `${nested.source} repeats what is repeated`
  for (const path of pathsOf(branches)) {
    const why = slowness(path, flags)
    if (why) return why
  }
  return null
}
