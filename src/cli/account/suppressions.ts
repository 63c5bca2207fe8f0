import type { Command } from 'commander'
import type { Suppression } from '../../protocol/records'
import { addingTo, type ConnectionOptions, callService, createOutput, everyPage, printable } from '../base'

/** Defines `restante suppressions …`. */
export function define(suppressions: Command): void {
  suppressions.description(
    'Manage suppressed addresses, which get no email: they bounced permanently, complained, or you added them.',
  )
  const add = addingTo(suppressions)
  add('list', 'List the addresses, oldest first', true).action(list)
  add('add', 'Suppress an address').argument('<address>', 'an email address').action(create)
  add('delete', 'Remove an address from the list').argument('<address>', 'an email address').action(remove)
}

type Options = ConnectionOptions & { json?: boolean }

const line = ({ address, reason, created_at }: Suppression) =>
  `${printable(address, 320)}  ${reason}  since ${created_at}`

async function list(options: Options): Promise<void> {
  const client = await callService('suppressions', options)
  const output = createOutput(options.json)
  const all = everyPage(
    (cursor) => client.suppressions.list({ cursor, limit: 100 }),
    (page): Suppression[] => page.suppressions,
  )
  let count = 0
  for await (const one of all) {
    count += 1
    output.tell(line(one), one)
  }
  if (count === 0 && !options.json) output.tell('No suppressed addresses.', {})
}

async function create(address: string, options: Options): Promise<void> {
  const client = await callService('suppressions add', options)
  const made = await client.suppressions.create({ address })
  createOutput(options.json).tell(line(made), made)
}

async function remove(address: string, options: Options): Promise<void> {
  const client = await callService('suppressions delete', options)
  const [found] = (await client.suppressions.list({ address })).suppressions
  if (found) await client.suppressions.delete({ id: found.id })
  const said = found
    ? `Email can be sent to ${printable(address, 320)} again.`
    : `${printable(address, 320)} was not suppressed.`
  createOutput(options.json).tell(said, { deleted: found?.id ?? null })
}
