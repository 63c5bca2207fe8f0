import type { Command } from 'commander'
import { isServiceError, UsageError } from '../../protocol/errors'
import type { Webhook, WebhookBody } from '../../protocol/records'
import {
  addConnectionFlags,
  type ConnectionOptions,
  callService,
  collect,
  createOutput,
  everyPage,
  fields,
  jsonOption,
  paint,
  printable,
} from '../base'

/** Defines `restante webhooks …`. */
export function define(webhooks: Command): void {
  webhooks.description(
    'Requests that tell of mail. To try one on this machine: restante listen --forward http://localhost:3000/hook.',
  )
  const add = (name: string, description: string, isDefault = false) =>
    addConnectionFlags(webhooks.command(name, { isDefault }))
      .description(description)
      .option(...jsonOption)
  add('list', 'List the webhooks, and whether they work', true).action(list)
  add('add', 'Make a webhook, and show its secret, this once')
    .argument('<url>', 'where requests go: HTTPS on the public internet, unless the service allows others')
    .option(
      '--event <type>',
      'an event to tell of; may be given several times (default: message.received)',
      collect,
    )
    .action(make)
  add('test', 'Send an event of the type webhook.test').argument('<webhook>', 'its id').action(test)
  add('delete', 'Delete a webhook').argument('<webhook>', 'its id').action(remove)
}

type Options = ConnectionOptions & { json?: boolean }

function stateOf({ enabled, disabled_reason, failing_since }: Webhook): string {
  if (!enabled) return paint('red', `off (${disabled_reason})`)
  return failing_since === null ? 'works' : paint('yellow', `fails since ${failing_since}`)
}

async function list(options: Options): Promise<void> {
  const client = await callService('webhooks', options)
  const output = createOutput(options.json)
  const all = everyPage(
    (cursor) => client.webhooks.list({ cursor, limit: 100 }),
    (page): Webhook[] => page.webhooks,
  )
  let count = 0
  for await (const webhook of all) {
    count += 1
    const { id, url, events } = webhook
    output.tell(`${id}  ${printable(url, 200)}  ${events.join(', ')}  ${stateOf(webhook)}`, webhook)
  }
  if (count === 0 && !options.json)
    output.tell('There is no webhook yet: restante webhooks add https://… makes one.', {})
}

/** Whoever gives the address of their own machine is told what it is tried by. */
const withTrial = (error: Error) =>
  new UsageError(
    'invalid_request',
    `${error.message} To try one on this machine: restante listen --forward http://localhost:3000/hook.`,
    { cause: error },
  )

async function make(url: string, options: Options & { event?: string[] }): Promise<void> {
  const client = await callService('webhooks add', options)
  // The service says which events there are.
  const events = (options.event ?? ['message.received']) as WebhookBody['events']
  const webhook = await client.webhooks.create({ url, events }).catch((error) => {
    throw isServiceError(error, 'invalid_request') && !url.startsWith('https:') ? withTrial(error) : error
  })
  const { id, secret } = webhook
  const told = fields({ webhook: id, events: webhook.events.join(', '), secret: paint('bold', secret) })
  createOutput(options.json).tell(
    `${told}\n\nKeep the secret now, it is not shown again: the receiver checks signatures with it.\nrestante webhooks test ${id} sends a first event.`,
    webhook,
  )
}

async function test(id: string, options: Options): Promise<void> {
  const client = await callService('webhooks test', options)
  const delivery = await client.webhooks.test({ id })
  createOutput(options.json).tell('An event of the type webhook.test is on its way.', delivery)
}

async function remove(id: string, options: Options): Promise<void> {
  const client = await callService('webhooks delete', options)
  await client.webhooks.delete({ id })
  createOutput(options.json).tell(`${printable(id)} is deleted.`, { event: 'webhook.deleted', id })
}
