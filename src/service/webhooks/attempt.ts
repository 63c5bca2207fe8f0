import { isServiceError } from '../../protocol/error'
import { webhookTestType } from '../../protocol/webhook'
import { signWebhook } from '../../protocol/webhook-signature'
import type { Core } from '../core/context'
import { readLog } from '../core/event-log'
import type { AttemptOutcome } from '../core/webhook-attempts'
import type { DeliveryRow, WebhookRow } from '../core/webhook-records'
import { webhookSecrets } from '../core/webhook-secrets'
import { testEventJson } from '../core/webhook-test-event'
import { webhookUrlProblem } from '../core/webhook-url'
import type { EndpointAnswer, PostToEndpoint } from '../ports'

/** The bytes that socket and poll are told as well; null where the log no longer has the event. */
async function eventJson(core: Core, row: DeliveryRow): Promise<string | null> {
  if (row.event_type === webhookTestType) return testEventJson(row)
  try {
    const page = await readLog(core, row.tenant_id, row.event_seq - 1, {}, 1)
    return page.entries.find((entry) => entry.seq === row.event_seq)?.json ?? null
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

const failure = (error: string): EndpointAnswer => ({ httpStatus: null, error, responseBody: null })

async function post(
  core: Core,
  send: PostToEndpoint,
  webhook: WebhookRow,
  row: DeliveryRow,
  body: string,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const problem = webhookUrlProblem(webhook.url, core.settings.webhooksAllowPrivate)
  if (problem !== null) return failure(`The url cannot be used for a webhook: ${problem}.`)
  const secrets = webhookSecrets(core, webhook)
  if (secrets.length === 0)
    return failure('The service no longer has what this webhook’s secret is made of: rotate the secret.')
  const signed = await signWebhook(secrets, { id: row.event_id, timestampMs: core.clock.now(), body })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'restante-webhooks/1' }
  return send({ url: webhook.url, headers, body }, signal)
}

/** Sends one delivery once. @throws What `signal` was aborted with, where no answer had come. */
export async function attempt(
  core: Core,
  send: PostToEndpoint,
  webhook: WebhookRow,
  row: DeliveryRow,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const startedAtMs = core.clock.now()
  const body = await eventJson(core, row)
  const answer =
    body === null
      ? { ...failure('The event is no longer kept, so there is nothing to send.'), final: true }
      : await post(core, send, webhook, row, body, signal)
  return { ...answer, startedAtMs, durationMs: core.clock.now() - startedAtMs }
}
