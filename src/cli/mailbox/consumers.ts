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
    'Consumers are what the service remembers of loops by their name: what they have handled, what waits, what was given up (dead) and what was left out since a reply to it would be refused (skipped).',
  )
  const add = addingTo(consumers)
  const whose = 'name of the consumer'
  add('list', 'List the consumers, and how much each has to do', true).action(list)
  add('skipped', 'List the mail that was left out: bounces, automatic answers and their like')
    .argument('<name>', whose)
    .action(skipped)
  add('dead', 'List the mail that was given up after its last attempt').argument('<name>', whose).action(dead)
  add('redrive', 'Send mail round again: what is dead, or what was skipped though a person wrote it')
    .argument('<name>', whose)
    .argument('[mails...]', 'their names in restante mail, such as m12-abc; all that is dead without them')
    .option('--include-answered', 'also mail after which something was sent in its conversation')
    .action(redrive)
}

type Options = ConnectionOptions & { json?: boolean }

const stateLine = ({ name, waiting, leased, dead, skipped, answered_twice = [] }: ConsumerState): string => {
  const deadWords = dead > 0 ? paint('red', `${dead} dead`) : `${dead} dead`
  const { length } = answered_twice
  const twice = length > 0 ? paint('yellow', `, ${length} answered by another program, too`) : ''
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
    output.tell("There is no consumer yet: mailbox.run() and incoming({ consumer: 'name' }) make one.", {})
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
    first === undefined ? 'None.' : `\nrestante consumers redrive ${name} ${first} sends it round again.`,
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
      ? ` ${left_out} stay, since something was sent after them: --include-answered takes them.`
      : ''
  const missing = answered + (rest > 0 ? ` ${rest} were neither dead nor skipped.` : '')
  createOutput(options.json).tell(`${redriven} mails go round again to ${printable(name)}.${missing}`, answer)
}
