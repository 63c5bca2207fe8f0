import { styleText } from 'node:util'
import { truncated } from '../../mail/text/safe-text'
import { isRestanteError } from '../../protocol/errors/error'

/** Flag of commands whose output programs can read. */
export const jsonOption = ['--json', 'print JSON, one object per line'] as const

/** Output for people (lines) or for programs (JSON objects). */
export interface Output {
  tell(line: string, facts: object): void
}

/** Control, invisible and direction characters and lone surrogates, which a terminal may obey. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Makes text of a message safe for a terminal and truncates it to `max` characters. */
export function printable(text: string, max = 80): string {
  const clean = text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim()
  return cut(clean, max)
}

type Style = Parameters<typeof styleText>[0]

/** Styles text, if the stream is a terminal with colours and `NO_COLOR` is not set. */
export const paint = (style: Style, text: string, stream: NodeJS.WritableStream = process.stdout): string =>
  styleText(style, text, { stream, validateStream: true })

const cut = (line: string, max: number) => (line.length > max ? `${truncated(line, max - 1)}…` : line)

/** Makes multi-line text safe for a terminal; truncates each line to `maxLine` characters. */
export const printableLines = (text: string, maxLine = 500): string =>
  text
    .split('\n')
    .map((line) => cut(line.replace(unprintable, ' ').trimEnd(), maxLine))
    .join('\n')

/** Breaks a line at spaces into pieces of at most `width` characters; a longer word stays whole. */
export function wrapped(line: string, width: number): string[] {
  const [first = '', ...words] = line.split(' ')
  const lines: string[] = []
  let current = first
  for (const word of words) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current += ` ${word}`
  }
  return [...lines, current]
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns one line of JSON; characters that a terminal may obey are written as escapes. */
const jsonLine = (facts: object): string =>
  JSON.stringify(facts).replace(unprintable, (found) => found.split('').map(escaped).join(''))

/** Formats the time of day for the event tail. */
export const clockTime = (date = new Date()): string => date.toTimeString().slice(0, 8)

/** Formats a timestamp in local time: `2030-01-31 09:40`. */
export function localTime(time: string): string {
  const date = new Date(time)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Formats a file size: `120 B`, `38 kB`, `2.1 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats names and values as two columns. Values may have several lines; empty ones are left out. */
export function fields(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value)
  const width = Math.max(...given.map(([name]) => name.length)) + 2
  const below = (value = '') => value.replaceAll('\n', `\n${' '.repeat(width)}`)
  return given.map(([name, value]) => `${paint('dim', name.padEnd(width))}${below(value)}`).join('\n')
}

/** Formats a duration: `1.4 ms`, `38 ms`, `2.1 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

export const createOutput = (
  json: boolean | undefined,
  stream: { write(text: string): unknown } = process.stdout,
): Output => ({
  tell: (line, facts) => void stream.write(`${json ? jsonLine(facts) : line}\n`),
})

const listenFailures: Record<string, string> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host cannot be looked up now',
}

/** Explains an error of the system and the next step. */
function explain(error: unknown): string {
  const { message, code = '', syscall } = error as NodeJS.ErrnoException
  const why = listenFailures[code]
  if (why && (syscall === 'listen' || syscall === 'getaddrinfo'))
    return `Cannot listen: ${why} (${message}). Choose another address with --http host:port or --smtp host:port.`
  return `Unexpected error: ${message}. Set RESTANTE_LOG=debug to see where.`
}

/** Writes an error in one line. */
export function writeError(error: unknown, json: boolean): void {
  const known = isRestanteError(error)
  const message = printable(known ? error.message : explain(error), 1_000)
  const facts = { error: known ? error.code : 'internal_error', message }
  createOutput(json, process.stderr).tell(`${paint('red', 'restante:', process.stderr)} ${message}`, facts)
  if (!known && process.env.RESTANTE_LOG === 'debug') console.error(error)
}
