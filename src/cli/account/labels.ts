import type { Command } from 'commander'
import type { Label } from '../../protocol/records'
import { addingTo, type ConnectionOptions, callService, createOutput, everyPage, printable } from '../base'

/** Defines `restante labels …`. */
export function define(labels: Command): void {
  labels.description('Manage the labels of the account. Agents and the console add them to messages.')
  const add = addingTo(labels)
  add('list', 'List the labels', true).action(list)
  add('create', 'Create a label').argument('<name>', 'name of the label').action(create)
  add('delete', 'Delete a label and remove it from every message')
    .argument('<label>', 'its name or id')
    .action(remove)
}

type Options = ConnectionOptions & { json?: boolean }
type Client = Awaited<ReturnType<typeof callService>>

const every = (client: Client) =>
  everyPage(
    (cursor) => client.labels.list({ cursor, limit: 100 }),
    (page): Label[] => page.labels,
  )

async function list(options: Options): Promise<void> {
  const client = await callService('labels', options)
  const output = createOutput(options.json)
  for await (const label of every(client)) output.tell(`${label.id}  ${printable(label.name)}`, label)
}

async function create(name: string, options: Options): Promise<void> {
  const client = await callService('labels create', options)
  const label = await client.labels.create({ name })
  createOutput(options.json).tell(`${label.id}  ${printable(label.name)}`, label)
}

async function remove(label: string, options: Options): Promise<void> {
  const client = await callService('labels delete', options)
  let id = label
  for await (const one of every(client)) if (one.name.toLowerCase() === label.toLowerCase()) id = one.id
  await client.labels.delete({ id })
  createOutput(options.json).tell(`${printable(label)} is deleted.`, { deleted: id })
}
