import { type Command, Option } from 'commander'
import type { Highlights } from '../../protocol/records/message'
import { addConnectionFlags, type ConnectionOptions, callService } from '../base/connection'
import { createOutput, jsonOption, paint, printable } from '../base/output'
import { countArgument } from '../base/pages'
import { listMessages, messageLine } from './message'

/** Defines `restante search`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description(
      'Search messages, best matches first. A match needs not contain every word. Syntax: "a phrase", +required, invoic* (prefix), one OR other. Filters: from: to: subject: label: filename: has:attachment is:unanswered before: after: newer_than:7d.',
    )
    .argument('<query...>', 'search query. Put -- before it if it begins with -')
    .option('--limit <count>', 'maximum number of messages', countArgument, 10)
    .addOption(
      new Option('--mode <mode>', 'rank by keyword, by embedding (semantic) or both (hybrid)')
        .choices(['keyword', 'semantic', 'hybrid'])
        .default('hybrid'),
    )
    .option('--newest', 'newest first, only messages that contain every word')
    .option(...jsonOption)
    .action(search)

interface SearchOptions extends ConnectionOptions {
  limit: number
  mode: 'keyword' | 'semantic' | 'hybrid'
  newest?: boolean
  json?: boolean
}

/** Makes a piece of a line printable and keeps the spaces at its ends. */
const piece = (text: string) => text.replace(/\S(?:.*\S)?/s, (words) => printable(words, 300))

const painted = (pieces: Highlights['snippet']) =>
  pieces.map(({ text, hit }) => (hit ? paint('bold', piece(text)) : piece(text))).join('')

/** Formats the snippet, and a line for each file with words of the query. */
const shown = ({ snippet, files = [] }: Highlights) =>
  [
    painted(snippet),
    ...files.map(
      ({ attachment_id: id, filename, page, snippet: found }) =>
        `${printable(filename ?? id, 100)}, page ${page}: ${painted(found)}`,
    ),
  ].join('\n  ')

async function search(words: string[], options: SearchOptions): Promise<void> {
  const { limit, mode, newest, json } = options
  const client = await callService('search', options)
  const order = newest ? 'desc' : 'relevance'
  const wanted = { q: words.join(' '), mode, order, highlight: 'true', body: 'false' } as const
  const warnings = new Set<string>()
  const messages = await listMessages(client, wanted, limit, (page) => {
    for (const { column, message } of page.warnings ?? []) warnings.add(`Character ${column}: ${message}`)
  })
  const output = createOutput(json)
  for (const message of messages) {
    const line = message.highlights ? `\n  ${shown(message.highlights)}` : ''
    output.tell(`${messageLine(message)}${line}`, message)
  }
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  if (messages.length === 0 && !json) output.tell('No messages match.', {})
}
