import type { Command } from 'commander'
import type { Consumer, ConsumerState, MessageSummary } from '../../protocol/records'
import {
  addingTo,
  type ConnectionOptions,
  callService,
  createOutput,
  everyPage,
  paint,
  printable,
} from '../base'
import { handleNamer, messageId, messageLine } from './message'

/** Defines `restante consumers …`, which shows the state of named loops. */
export function define(consumers: Command): void {
  consumers.description(
    'Show consumers, which are the named loops of agents. The service counts their messages: waiting, being handled, dead (given up after the last attempt) and skipped (a reply would be refused).',
  )
  const add = addingTo(consumers)
  const whose = 'name of the consumer'
  add('list', 'List the consumers with their message counts', true).action(list)
  add('skipped', 'List skipped messages, such as bounces and automatic replies')
    .argument('<name>', whose)
    .action(skipped)
  add('dead', 'List dead letters, with their number of attempts').argument('<name>', whose).action(dead)
  add('redrive', 'Deliver messages to the loop again: dead letters, or skipped messages')
    .argument('<name>', whose)
    .argument('[mails...]', 'handles from restante mail, such as m12-abc (default: all dead letters)')
    .option('--include-answered', 'include messages with a later sent message in their conversation')
    .action(redrive)
}

type Options = ConnectionOptions & { json?: boolean }

const stateLine = ({ name, waiting, leased, dead, skipped, answered_twice = [] }: ConsumerState): string => {
  const deadWords = dead > 0 ? paint('red', `${dead} dead`) : `${dead} dead`
  const { length } = answered_twice
  const twice = length > 0 ? paint('yellow', `, ${length} also answered by another program`) : ''
  return `${name.padEnd(24)} ${waiting} waiting, ${leased} being handled, ${deadWords}, ${skipped} skipped${twice}`
}

async function list(options: Options): Promise<void> {
  const client = await callService('consumers', options)
  const output = createOutput(options.json)
  const all = everyPage(
    (cursor) => client.consumers.list({ cursor, limit: 100 }),
    (page): Consumer[] => page.consumers,
  )
  let count = 0
  for await (const { name } of all) {
    count += 1
    const state = await client.consumers.get({ name })
    output.tell(stateLine(state), state)
  }
  if (count === 0 && !options.json)
    output.tell("No consumers yet. mailbox.run() and incoming({ consumer: 'name' }) create one.", {})
}

/** Lists messages of a consumer, and the command that redrives them. */
async function tellMessages(
  rows: AsyncIterable<{ message: MessageSummary; note: string; facts: object }>,
  name: string,
  { json }: Options,
): Promise<void> {
  const [output, handleOf] = [createOutput(json), await handleNamer()]
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

async function skipped(name: string, options: Options): Promise<void> {
  const client = await callService('consumers skipped', options)
  const all = everyPage(
    (cursor) => client.consumers.skipped({ name, cursor, limit: 100 }),
    ({ messages }) =>
      messages.map((message) => ({ message, note: message.unanswerable ?? '', facts: message })),
  )
  await tellMessages(all, name, options)
}

async function dead(name: string, options: Options): Promise<void> {
  const client = await callService('consumers dead', options)
  const all = everyPage(
    (cursor) => client.consumers.deadLetters({ name, cursor, limit: 100 }),
    ({ dead_letters }) =>
      dead_letters.map((letter) => ({
        message: letter.message,
        note: `${letter.attempts} attempts`,
        facts: letter,
      })),
  )
  await tellMessages(all, name, options)
}

async function redrive(
  name: string,
  named: string[],
  options: Options & { includeAnswered?: true },
): Promise<void> {
  const client = await callService('consumers redrive', options)
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
  createOutput(options.json).tell(`${printable(name)} gets ${redriven} messages again.${missing}`, answer)
}
