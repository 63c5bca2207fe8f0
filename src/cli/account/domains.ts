import type { Command } from 'commander'
import type { Domain } from '../../protocol/records'
import {
  addingTo,
  type ConnectionOptions,
  callService,
  createOutput,
  everyPage,
  paint,
  printable,
} from '../base'

/** Defines `restante domains …`. */
export function define(domains: Command): void {
  domains.description('Manage your own domains, which receive and send email.')
  const add = addingTo(domains)
  add('list', 'List the domains and whether they are verified', true).action(list)
  add('add', 'Add a domain and show the DNS records to publish')
    .argument('<domain>', 'name of the domain, such as example.com')
    .action(create)
  add('check', 'Check the DNS records of a domain now').argument('<domain>', 'its name or id').action(check)
  add('delete', 'Delete a domain that has no inboxes').argument('<domain>', 'its name or id').action(remove)
}

type Options = ConnectionOptions & { json?: boolean }
type Client = Awaited<ReturnType<typeof callService>>

const every = (client: Client) =>
  everyPage(
    (cursor) => client.domains.list({ cursor, limit: 100 }),
    (page): Domain[] => page.domains,
  )

/** Returns the id of the domain with this name, or the argument itself if no domain has it as its name. */
async function idOf(client: Client, domain: string): Promise<string> {
  for await (const { id, hostname } of every(client)) if (hostname === domain.toLowerCase()) return id
  return domain
}

const line = ({ id, hostname, status }: Domain) =>
  `${id}  ${printable(hostname, 253)}  ${paint(status === 'verified' ? 'green' : 'yellow', status)}`

/** Formats the DNS records of a domain, one per line, with their status. */
const recordLines = ({ records }: Domain) =>
  records.map(
    ({ type, name, value, status }) =>
      `  ${status.padEnd(8)} ${type.padEnd(5)} ${name}  ${printable(value, 600)}`,
  )

const show = (domain: Domain, { json }: Options) =>
  createOutput(json).tell([line(domain), ...recordLines(domain)].join('\n'), domain)

async function list(options: Options): Promise<void> {
  const client = await callService('domains', options)
  const output = createOutput(options.json)
  let count = 0
  for await (const domain of every(client)) {
    count += 1
    output.tell(line(domain), domain)
  }
  if (count === 0 && !options.json)
    output.tell('No domains yet. Add one: restante domains add example.com', {})
}

async function create(domain: string, options: Options): Promise<void> {
  const client = await callService('domains add', options)
  show(await client.domains.create({ hostname: domain }), options)
}

async function check(domain: string, options: Options): Promise<void> {
  const client = await callService('domains check', options)
  show(await client.domains.verify({ id: await idOf(client, domain) }), options)
}

async function remove(domain: string, options: Options): Promise<void> {
  const client = await callService('domains delete', options)
  await client.domains.delete({ id: await idOf(client, domain) })
  createOutput(options.json).tell(`${printable(domain, 253)} is deleted.`, { deleted: domain })
}
