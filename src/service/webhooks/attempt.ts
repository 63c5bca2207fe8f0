import { isServiceError } from '../../protocol/errors'
import { webhookTestType } from '../../protocol/records'
import { signWebhook } from '../../protocol/webhook-signature'
import { readLog } from '../log'
import type { EndpointAnswer, PostToEndpoint } from '../ports'
import type { AttemptOutcome } from './attempts'
import type { WebhookPorts } from './ports'
import type { DispatchRow, WebhookRow } from './records'
import { webhookSecrets } from './secrets'
import { testEventJson } from './test-event'
import { webhookUrlProblem } from './url'

/** The bytes that socket and poll are told as well; null where the log no longer has the event. */
async function eventJson(ports: WebhookPorts, row: DispatchRow): Promise<string | null> {
  if (row.event_type === webhookTestType) return testEventJson(row)
  try {
    const page = await readLog(ports, row.tenant_id, row.event_seq - 1, {}, 1)
    return page.entries.find((entry) => entry.seq === row.event_seq)?.json ?? null
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

const failure = (error: string): EndpointAnswer => ({ httpStatus: null, error, responseBody: null })

async function post(
  ports: WebhookPorts,
  send: PostToEndpoint,
  webhook: WebhookRow,
  row: DispatchRow,
  body: string,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const problem = webhookUrlProblem(webhook.url, ports.settings.webhooksAllowPrivate)
  if (problem !== null) return failure(`The url cannot be used for a webhook: ${problem}.`)
  const secrets = webhookSecrets(ports, webhook)
  if (secrets.length === 0)
    return failure('The service no longer has what this webhook’s secret is made of: rotate the secret.')
  const signed = await signWebhook(secrets, { id: row.event_id, timestampMs: ports.clock.now(), body })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'restante-webhooks/1' }
  return send({ url: webhook.url, headers, body }, signal)
}

/** Sends one dispatch once. @throws What `signal` was aborted with, where no answer had come. */
export async function attempt(
  ports: WebhookPorts,
  send: PostToEndpoint,
  webhook: WebhookRow,
  row: DispatchRow,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const startedAtMs = ports.clock.now()
  const body = await eventJson(ports, row)
  const answer =
    body === null
      ? { ...failure('The event is no longer kept, so there is nothing to send.'), final: true }
      : await post(ports, send, webhook, row, body, signal)
  return { ...answer, startedAtMs, durationMs: ports.clock.now() - startedAtMs }
}
