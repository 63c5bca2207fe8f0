import { UsageError } from '../../protocol/errors'

type KeysOf<Options> = Options extends unknown ? keyof Options & string : never

/** The names of the options of a call; the compiler misses none. */
export type OptionNames<Options> = Readonly<Record<KeysOf<Options>, boolean>>

/** The options that other words mean, as other libraries have them. */
const synonyms: Readonly<Record<string, string>> = {
  ...{ body: 'text', content: 'text', message: 'text', recipients: 'to', from: 'inbox' },
  ...{
    files: 'attachments',
    timeout: 'timeoutMs',
    name: 'consumer',
    q: 'query',
    key: 'apiKey',
    baseUrl: 'url',
  },
}

/** Finds the option that somebody meant: also one as the wire writes it. */
function meant(name: string, known: readonly string[]): string | undefined {
  const wanted = name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
  return known.find((one) => one === wanted || one === synonyms[name])
}

/**
 * Requires options that a call takes: one that is ignored is a lost recipient, or an empty mail.
 *
 * @param call As somebody writes it, such as `reply()`.
 * @param elsewhere Where other options belong, by their names.
 * @throws UsageError `invalid_options`, which says what was meant
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
    if (value === undefined || Object.hasOwn(names, name)) continue
    const other = meant(name, known)
    throw refused(name, other ? `: say ${other}` : elsewhere[name] && `: ${name} belongs ${elsewhere[name]}`)
  }
}

/**
 * Writes a time as the wire has it.
 *
 * @param name The option that gives it.
 * @throws UsageError `invalid_options` for no time, and for one without a zone: it would mean another here than there
 */
export function wireTime(name: string, time: Date | string): string {
  const hasZone = typeof time !== 'string' || /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time)
  const read = new Date(time)
  if (hasZone && !Number.isNaN(read.getTime())) return read.toISOString()
  throw new UsageError(
    'invalid_options',
    `${name} takes a Date, or a time with its zone such as 2026-01-31T09:00:00+01:00, not ${String(time).slice(0, 60)}`,
  )
}
