import type { Command } from 'commander'
import type { Suppression } from '../../protocol/records/suppression'
import { addingTo, type Call, calling } from '../base/connection'
import { printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante suppressions …`. */
export function define(suppressions: Command): void {
  suppressions.description(
    'Manage suppressed addresses, which get no email: they bounced permanently, complained, or you added them.',
  )
  const add = addingTo(suppressions)
  add('list', 'List the addresses, oldest first', true).action(calling(list))
  add('add', 'Suppress an address').argument('<address>', 'an email address').action(calling(create))
  add('delete', 'Remove an address from the list')
    .argument('<address>', 'an email address')
    .action(calling(remove))
}

const line = ({ address, reason, created_at }: Suppression) =>
  `${printable(address, 320)}  ${reason}  since ${created_at}`

async function list(call: Call): Promise<void> {
  const all = everyPage(
    (cursor) => call.client.suppressions.list({ cursor, limit: 100 }),
    (page): Suppression[] => page.suppressions,
  )
  await tellRows(call, all, line, 'No suppressed addresses.')
}

async function create({ client, output }: Call, address: string): Promise<void> {
  const made = await client.suppressions.create({ address })
  output.tell(line(made), made)
}

async function remove({ client, output }: Call, address: string): Promise<void> {
  const [found] = (await client.suppressions.list({ address })).suppressions
  if (found) await client.suppressions.delete({ id: found.id })
  const said = found
    ? `Email can be sent to ${printable(address, 320)} again.`
    : `${printable(address, 320)} was not suppressed.`
  output.tell(said, { deleted: found?.id ?? null })
}
