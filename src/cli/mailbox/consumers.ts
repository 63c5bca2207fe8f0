import type { Command } from 'commander'
import type { ConsumerState } from '../../protocol/records/consumer'
import type { MessageSummary } from '../../protocol/records/message'
import { addingTo, type Call, calling } from '../base/connection'
import { paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'
import { handleNamer, messageId, messageLine } from './message'

/** Defines `restante consumers …`, which shows the state of named loops. */
export function define(consumers: Command): void {
  consumers.description(
    'Show consumers, which are the named loops of agents. The service counts their messages: waiting, being handled, dead (given up after the last attempt) and skipped (a reply would be refused).',
  )
  const add = addingTo(consumers)
  const whose = 'name of the consumer'
  add('list', 'List the consumers with their message counts', true).action(calling(list))
  add('skipped', 'List skipped messages, such as bounces and automatic replies')
    .argument('<name>', whose)
    .action(calling(skipped))
  add('dead', 'List dead letters, with their number of attempts')
    .argument('<name>', whose)
    .action(calling(dead))
  add('redrive', 'Deliver messages to the loop again: dead letters, or skipped messages')
    .argument('<name>', whose)
    .argument('[mails...]', 'handles from restante mail, such as m12-abc (default: all dead letters)')
    .option('--include-answered', 'include messages with a later sent message in their conversation')
    .action(calling(redrive))
}

const stateLine = (state: ConsumerState): string => {
  const { name, waiting, leased, dead, skipped, answered_twice = [], paused } = state
  const deadWords = dead > 0 ? paint('red', `${dead} dead`) : `${dead} dead`
  const { length } = answered_twice
  const twice = length > 0 ? paint('yellow', `, ${length} also answered by another program`) : ''
  const pausedWords = paused ? paint('yellow', ', paused') : ''
  return `${name.padEnd(24)} ${waiting} waiting, ${leased} being handled, ${deadWords}, ${skipped} skipped${twice}${pausedWords}`
}

async function* states({ client }: Call): AsyncGenerator<ConsumerState> {
  const all = everyPage(
    (cursor) => client.consumers.list({ cursor, limit: 100 }),
    (page) => page.consumers,
  )
  for await (const { name } of all) yield client.consumers.get({ name })
}

const list = (call: Call) =>
  tellRows(
    call,
    states(call),
    stateLine,
    "No consumers yet. mailbox.run() and incoming({ consumer: 'name' }) create one.",
  )

/** Lists messages of a consumer, and the command that redrives them. */
async function tellMessages(
  { output, json }: Call,
  rows: AsyncIterable<{ message: MessageSummary; note: string; facts: object }>,
  name: string,
): Promise<void> {
  const handleOf = await handleNamer()
  let first: string | undefined
  for await (const { message, note, facts } of rows) {
    const handle = handleOf(message)
    first ??= handle
    output.tell(`${messageLine({ ...message, handle })}  ${paint('dim', note)}`, { ...facts, handle })
  }
  if (json) return
  output.tell(
    first === undefined
      ? 'None.'
      : `\nDeliver the first one again: restante consumers redrive ${name} ${first}`,
    {},
  )
}

async function skipped(call: Call, name: string): Promise<void> {
  const all = everyPage(
    (cursor) => call.client.consumers.skipped({ name, cursor, limit: 100 }),
    ({ messages }) =>
      messages.map((message) => ({ message, note: message.unanswerable ?? '', facts: message })),
  )
  await tellMessages(call, all, name)
}

async function dead(call: Call, name: string): Promise<void> {
  const all = everyPage(
    (cursor) => call.client.consumers.deadLetters({ name, cursor, limit: 100 }),
    ({ dead_letters }) =>
      dead_letters.map((letter) => ({
        message: letter.message,
        note: `${letter.attempts} attempts`,
        facts: letter,
      })),
  )
  await tellMessages(call, all, name)
}

async function redrive(
  { client, output }: Call,
  name: string,
  named: string[],
  options: { includeAnswered?: true },
): Promise<void> {
  const message_ids = await Promise.all(named.map((one) => messageId(client, one)))
  const answer = await client.consumers.redrive({
    name,
    ...(named.length > 0 && { message_ids }),
    include_answered: options.includeAnswered,
  })
  const { redriven, left_out = 0 } = answer
  const rest = named.length - redriven - left_out
  const answered =
    left_out > 0
      ? ` Left out ${left_out} with a later sent message. Include them with --include-answered.`
      : ''
  const missing = answered + (rest > 0 ? ` ${rest} are neither dead nor skipped.` : '')
  output.tell(`${printable(name)} gets ${redriven} messages again.${missing}`, answer)
}
