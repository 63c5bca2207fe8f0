import { UsageError } from './errors/error'

type KeysOf<Options> = Options extends unknown ? keyof Options & string : never

/** Requirement on the value of an option: none (`true`), or a result of `typeof`. */
type OptionKind = boolean | 'boolean' | 'function' | 'number' | 'string'

/** Names of the options of a call, for {@link checkOptions}; the compiler reports a missing one. */
export type OptionNames<Options> = Readonly<Record<KeysOf<Options>, OptionKind>>

/** Names of the same options in other libraries. */
const synonyms: Readonly<Record<string, string>> = {
  ...{
    otp: 'code',
    mail: 'message',
    body: 'text',
    content: 'text',
    message: 'text',
    recipients: 'to',
    from: 'inbox',
  },
  ...{
    files: 'attachments',
    data: 'content',
    timeout: 'timeoutMs',
    name: 'consumer',
    q: 'query',
    key: 'apiKey',
    baseUrl: 'url',
  },
}

/** Returns whether two words differ in one or two letters at one place. */
function isTypo(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  let start = 0
  while (start < length && one[start] === other[start]) start += 1
  let end = 1
  while (end <= Math.min(one.length, other.length) - start && one.at(-end) === other.at(-end)) end += 1
  const changed = length - start - end + 1
  return changed <= 2 && changed * 2 <= length
}

/** Finds the intended name: a synonym, the name on the wire, or the name without a typo. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.replace(/_/g, '').toLowerCase()
  const wanted = plain(name)
  return (
    known.find((one) => plain(one) === wanted || one === synonyms[name]) ??
    known.find((one) => isTypo(plain(one), wanted))
  )
}

/**
 * Requires that a value is one of several words.
 *
 * @param of Subject of the error text, such as `kind of expect()`.
 * @throws UsageError `invalid_options`, which suggests the intended word
 * @example
 * ```ts
 * const paint = (colour: 'red' | 'blue') => checkChoice('colour', colour, ['red', 'blue'])
 * ```
 */
export function checkChoice(of: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return
  const given =
    typeof value === 'object' ? (value === null ? 'null' : 'an object') : String(value).slice(0, 60)
  const other = meantName(given, choices)
  throw new UsageError(
    'invalid_options',
    `${of} is one of ${choices.join(', ')}, not ${given}${other ? `: say ${other}` : ''}`,
  )
}

function requireKind(call: string, name: string, value: unknown, kind: OptionKind): void {
  if (typeof kind === 'boolean' || typeof value === kind) return
  const given = value === null ? 'null' : typeof value
  throw new UsageError('invalid_options', `${call} takes a ${kind} as ${name}, not ${given}`)
}

/**
 * Requires known options: an ignored one could mean a lost recipient, or an empty message.
 *
 * @param call The call in the caller's code, such as `reply()`.
 * @param elsewhere Places where other options belong, by their names.
 * @throws UsageError `invalid_options`, which suggests the intended option
 * @example
 * ```ts
 * const greet = (options: { name?: string }) => {
 *   checkOptions('greet()', options, { name: true })
 *   return `Hello ${options.name ?? 'you'}`
 * }
 * ```
 */
export function checkOptions<Options>(
  call: string,
  given: unknown,
  names: OptionNames<Options>,
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  const known = Object.keys(names)
  const refused = (what: string, remedy = '') =>
    new UsageError('invalid_options', `${call} takes { ${known.join(', ')} }, not ${what}${remedy}`)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused(given === null ? 'null' : Array.isArray(given) ? 'a list' : typeof given)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (Object.hasOwn(names, name)) {
      requireKind(call, name, value, names[name as KeysOf<Options>])
      continue
    }
    const other = meantName(name, known)
    const place = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
    throw refused(name, other ? `: say ${other}` : place && `: ${name} belongs ${place}`)
  }
  // A copy of the options would lose inherited ones: a guard must not be lost silently.
  const inherited = known.find((name) => name in given && !Object.hasOwn(given, name))
  if (inherited) throw refused(`an inherited ${inherited}`, ': pass a plain object')
}
