import type { Command } from 'commander'
import type { Client } from '../../client'
import { isServiceError, UsageError } from '../../protocol/errors'
import type { Webhook, WebhookBody, WebhookDelivery } from '../../protocol/records'
import type { RouteInput, Routes } from '../../protocol/routes'
import {
  addingTo,
  type ConnectionOptions,
  callService,
  collect,
  createOutput,
  everyPage,
  fields,
  paint,
  printable,
} from '../base'

/** Defines `restante webhooks …`. */
export function define(webhooks: Command): void {
  webhooks.description(
    'Manage webhooks, which send events to an HTTP endpoint. To test on this machine, use restante listen --forward http://localhost:3000/hook.',
  )
  const add = addingTo(webhooks)
  add('list', 'List webhooks with their state and the reason of a failure', true).action(list)
  add('add', 'Add a webhook and print its secret, which is shown once')
    .argument('<url>', 'endpoint: HTTPS on the public internet, unless the service allows others')
    .option('--event <type>', 'event type to send, repeatable (default: message.received)', collect)
    .action(make)
  add('test', 'Send an event of type webhook.test').argument('<webhook>', 'id of the webhook').action(test)
  add('deliveries', 'List deliveries of a webhook, newest first, with the reason of each failure')
    .argument('<webhook>', 'id of the webhook')
    .option('--status <status>', 'pending, delivered or dead')
    .action(deliveries)
  add('redeliver', 'Send the event of a delivery again')
    .argument('<webhook>', 'id of the webhook')
    .argument('<id>', 'id of the delivery')
    .action(redeliver)
  add('delete', 'Delete a webhook').argument('<webhook>', 'id of the webhook').action(remove)
}

type Options = ConnectionOptions & { json?: boolean }

type Attempt = WebhookDelivery['attempts'][number]

/** Returns the latest request of the last five deliveries; undefined if there was none. */
async function lastAttempt(client: Client, { id }: Webhook): Promise<Attempt | undefined> {
  const { deliveries } = await client.webhooks.deliveries({ id, limit: 5 })
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  return attempts.sort((one, other) => one.started_at.localeCompare(other.started_at)).at(-1)
}

/** Formats the reason why an attempt failed, in one line. */
function reasonOf({ http_status, error, response_body }: Attempt): string {
  const [line = ''] = response_body?.trim().split('\n') ?? []
  return http_status === null ? (error ?? 'no response') : `HTTP ${http_status}${line && `, ${line}`}`
}

function stateOf({ enabled, disabled_reason, failing_since }: Webhook, last: Attempt | undefined): string {
  const why = last && (!enabled || failing_since !== null) ? `: ${printable(reasonOf(last), 200)}` : ''
  if (!enabled) return paint('red', `disabled (${disabled_reason})${why}`)
  if (failing_since !== null) return paint('yellow', `failing since ${failing_since}${why}`)
  return last ? 'works' : 'no delivery yet'
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
    const last = await lastAttempt(client, webhook)
    const state = stateOf(webhook, last)
    output.tell(`${id}  ${printable(url, 200)}  ${events.join(', ')}  ${state}`, {
      ...webhook,
      last_attempt: last,
    })
  }
  if (count === 0 && !options.json)
    output.tell('No webhooks yet. Add one: restante webhooks add https://…', {})
}

/** Adds the command to try a webhook on the local machine, which the service refused as an address. */
const withTrial = (error: Error) =>
  new UsageError(
    'invalid_request',
    `${error.message} To test on this machine: restante listen --forward http://localhost:3000/hook.`,
    { cause: error },
  )

async function make(url: string, options: Options & { event?: string[] }): Promise<void> {
  const client = await callService('webhooks add', options)
  // The service validates the event types.
  const events = (options.event ?? ['message.received']) as WebhookBody['events']
  const webhook = await client.webhooks.create({ url, events }).catch((error) => {
    throw isServiceError(error, 'invalid_request') && !url.startsWith('https:') ? withTrial(error) : error
  })
  const { id, secret } = webhook
  const told = fields({ webhook: id, events: webhook.events.join(', '), secret: paint('bold', secret) })
  createOutput(options.json).tell(
    `${told}\n\nSave the secret now: it is not shown again. The endpoint verifies signatures with it.\nSend a test event: restante webhooks test ${id}`,
    webhook,
  )
}

async function test(id: string, options: Options): Promise<void> {
  const client = await callService('webhooks test', options)
  const delivery = await client.webhooks.test({ id })
  createOutput(options.json).tell('Sending an event of type webhook.test.', delivery)
}

function deliveryLine({ id, event_type, status, next_attempt_at, attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  const why = last && status !== 'delivered' ? `: ${printable(reasonOf(last), 200)}` : ''
  const next = next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`
  return `${id}  ${event_type}  ${status} after ${attempts.length} attempts${next}${why}`
}

async function deliveries(id: string, options: Options & { status?: string }): Promise<void> {
  const client = await callService('webhooks deliveries', options)
  const output = createOutput(options.json)
  // The service validates the status.
  const status = options.status as RouteInput<Routes['webhooks']['deliveries']>['status']
  const all = everyPage(
    (cursor) => client.webhooks.deliveries({ id, status, cursor, limit: 100 }),
    (page): WebhookDelivery[] => page.deliveries,
  )
  let count = 0
  for await (const delivery of all) {
    count += 1
    output.tell(deliveryLine(delivery), delivery)
  }
  if (count === 0 && !options.json) output.tell('No deliveries yet.', {})
}

async function redeliver(id: string, delivery_id: string, options: Options): Promise<void> {
  const client = await callService('webhooks redeliver', options)
  const delivery = await client.webhooks.redeliver({ id, delivery_id })
  createOutput(options.json).tell(`Sending ${printable(delivery_id)} again.`, delivery)
}

async function remove(id: string, options: Options): Promise<void> {
  const client = await callService('webhooks delete', options)
  await client.webhooks.delete({ id })
  createOutput(options.json).tell(`${printable(id)} is deleted.`, { event: 'webhook.deleted', id })
}
