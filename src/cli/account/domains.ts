import type { Command } from 'commander'
import type { Domain } from '../../protocol/records/domain'
import { addingTo, type Call, calling } from '../base/connection'
import { paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante domains …`. */
export function define(domains: Command): void {
  domains.description('Manage your own domains, which receive and send email.')
  const add = addingTo(domains)
  add('list', 'List the domains and whether they are verified', true).action(calling(list))
  add('add', 'Add a domain and show the DNS records to publish')
    .argument('<domain>', 'name of the domain, such as example.com')
    .action(calling(create))
  add('check', 'Check the DNS records of a domain now')
    .argument('<domain>', 'its name or id')
    .action(calling(check))
  add('delete', 'Delete a domain that has no inboxes')
    .argument('<domain>', 'its name or id')
    .action(calling(remove))
}

const every = ({ client }: Call) =>
  everyPage(
    (cursor) => client.domains.list({ cursor, limit: 100 }),
    (page): Domain[] => page.domains,
  )

/** Returns the id of the domain with this name, or the argument itself if no domain has it as its name. */
async function idOf(call: Call, domain: string): Promise<string> {
  for await (const { id, hostname } of every(call)) if (hostname === domain.toLowerCase()) return id
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

const show = ({ output }: Call, domain: Domain) =>
  output.tell([line(domain), ...recordLines(domain)].join('\n'), domain)

const list = (call: Call) =>
  tellRows(call, every(call), line, 'No domains yet. Add one: restante domains add example.com')

const create = async (call: Call, hostname: string) =>
  show(call, await call.client.domains.create({ hostname }))

const check = async (call: Call, domain: string) =>
  show(call, await call.client.domains.verify({ id: await idOf(call, domain) }))

async function remove(call: Call, domain: string): Promise<void> {
  await call.client.domains.delete({ id: await idOf(call, domain) })
  call.output.tell(`${printable(domain, 253)} is deleted.`, { deleted: domain })
}
