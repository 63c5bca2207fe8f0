import type { Command } from 'commander'
import type { Client } from '../../client/client'
import { isServiceError, UsageError } from '../../protocol/errors/error'
import type { Webhook, WebhookBody, WebhookDelivery } from '../../protocol/records/webhook'
import type { RouteInput } from '../../protocol/routes/route'
import type { Routes } from '../../protocol/routes/routes'
import { addingTo, type Call, calling, collect } from '../base/connection'
import { fields, paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante webhooks …`. */
export function define(webhooks: Command): void {
  webhooks.description(
    'Manage webhooks, which send events to an HTTP endpoint. To test on this machine, use restante listen --forward http://localhost:3000/hook.',
  )
  const add = addingTo(webhooks)
  add('list', 'List webhooks with their state and the reason of a failure', true).action(calling(list))
  add('add', 'Add a webhook and print its secret, which is shown once')
    .argument('<url>', 'endpoint: HTTPS on the public internet, unless the service allows others')
    .option('--event <type>', 'event type to send, repeatable (default: message.received)', collect)
    .action(calling(make))
  add('test', 'Send an event of type webhook.test')
    .argument('<webhook>', 'id of the webhook')
    .action(calling(test))
  add('deliveries', 'List deliveries of a webhook, newest first, with the reason of each failure')
    .argument('<webhook>', 'id of the webhook')
    .option('--status <status>', 'pending, delivered or dead')
    .action(calling(deliveries))
  add('redeliver', 'Send the event of a delivery again')
    .argument('<webhook>', 'id of the webhook')
    .argument('<id>', 'id of the delivery')
    .action(calling(redeliver))
  add('delete', 'Delete a webhook').argument('<webhook>', 'id of the webhook').action(calling(remove))
}

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

/** Returns the webhooks, each with its latest request. */
async function* withAttempts({
  client,
}: Call): AsyncGenerator<Webhook & { last_attempt: Attempt | undefined }> {
  const all = everyPage(
    (cursor) => client.webhooks.list({ cursor, limit: 100 }),
    (page): Webhook[] => page.webhooks,
  )
  for await (const webhook of all) yield { ...webhook, last_attempt: await lastAttempt(client, webhook) }
}

const list = (call: Call) =>
  tellRows(
    call,
    withAttempts(call),
    ({ last_attempt, ...webhook }) =>
      `${webhook.id}  ${printable(webhook.url, 200)}  ${webhook.events.join(', ')}  ${stateOf(webhook, last_attempt)}`,
    'No webhooks yet. Add one: restante webhooks add https://…',
  )

/** Adds the command to try a webhook on the local machine, which the service refused as an address. */
const withTrial = (error: Error) =>
  new UsageError(
    'invalid_request',
    `${error.message} To test on this machine: restante listen --forward http://localhost:3000/hook.`,
    { cause: error },
  )

async function make({ client, output }: Call, url: string, options: { event?: string[] }): Promise<void> {
  // The service validates the event types.
  const events = (options.event ?? ['message.received']) as WebhookBody['events']
  const webhook = await client.webhooks.create({ url, events }).catch((error) => {
    throw isServiceError(error, 'invalid_request') && !url.startsWith('https:') ? withTrial(error) : error
  })
  const { id, secret } = webhook
  const summary = fields({ webhook: id, events: webhook.events.join(', '), secret: paint('bold', secret) })
  output.tell(
    `${summary}\n\nSave the secret now: it is not shown again. The endpoint verifies signatures with it.\nSend a test event: restante webhooks test ${id}`,
    webhook,
  )
}

async function test({ client, output }: Call, id: string): Promise<void> {
  const delivery = await client.webhooks.test({ id })
  output.tell('Sending an event of type webhook.test.', delivery)
}

function deliveryLine({ id, event_type, status, next_attempt_at, attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  const why = last && status !== 'delivered' ? `: ${printable(reasonOf(last), 200)}` : ''
  const next = next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`
  return `${id}  ${event_type}  ${status} after ${attempts.length} attempts${next}${why}`
}

async function deliveries(call: Call, id: string, options: { status?: string }): Promise<void> {
  // The service validates the status.
  const status = options.status as RouteInput<Routes['webhooks']['deliveries']>['status']
  const all = everyPage(
    (cursor) => call.client.webhooks.deliveries({ id, status, cursor, limit: 100 }),
    (page): WebhookDelivery[] => page.deliveries,
  )
  await tellRows(call, all, deliveryLine, 'No deliveries yet.')
}

async function redeliver({ client, output }: Call, id: string, delivery_id: string): Promise<void> {
  const delivery = await client.webhooks.redeliver({ id, delivery_id })
  output.tell(`Sending ${printable(delivery_id)} again.`, delivery)
}

async function remove({ client, output }: Call, id: string): Promise<void> {
  await client.webhooks.delete({ id })
  output.tell(`${printable(id)} is deleted.`, { event: 'webhook.deleted', id })
}
