import type { Command } from 'commander'
import type { Label } from '../../protocol/records/label'
import { addingTo, type Call, calling } from '../base/connection'
import { printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante labels …`. */
export function define(labels: Command): void {
  labels.description('Manage the labels of the account. Agents and the console add them to messages.')
  const add = addingTo(labels)
  add('list', 'List the labels', true).action(calling(list))
  add('create', 'Create a label').argument('<name>', 'name of the label').action(calling(create))
  add('delete', 'Delete a label and remove it from every message')
    .argument('<label>', 'its name or id')
    .action(calling(remove))
}

const every = ({ client }: Call) =>
  everyPage(
    (cursor) => client.labels.list({ cursor, limit: 100 }),
    (page): Label[] => page.labels,
  )

const line = ({ id, name }: Label) => `${id}  ${printable(name)}`

const list = (call: Call) => tellRows(call, every(call), line)

async function create({ client, output }: Call, name: string): Promise<void> {
  const label = await client.labels.create({ name })
  output.tell(line(label), label)
}

async function remove(call: Call, label: string): Promise<void> {
  let id = label
  for await (const one of every(call)) if (one.name.toLowerCase() === label.toLowerCase()) id = one.id
  await call.client.labels.delete({ id })
  call.output.tell(`${printable(label)} is deleted.`, { deleted: id })
}
