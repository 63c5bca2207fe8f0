import { isServiceError } from '../../protocol/errors/error'
import { webhookTestType } from '../../protocol/records/webhook'
import { epochHeader, signWebhook } from '../../protocol/webhook-signature'
import { narrowEvent } from '../base/sender'
import { readLog } from '../log/event-log'
import type { EndpointAnswer, PostToEndpoint } from '../ports'
import type { AttemptOutcome } from './attempts'
import type { WebhookPorts } from './ports'
import type { DispatchRow, WebhookRow } from './records'
import { webhookSecrets } from './secrets'
import { testEventJson } from './test-event'
import { webhookUrlProblem } from './url'

/** A body, with the epoch of its log; a test event is in no log. */
interface Content {
  body: string
  epoch?: string
}

/**
 * Returns the JSON that socket and poll send to a key without `manage`; null if the log no longer has the
 * event.
 */
async function contentOf(ports: WebhookPorts, row: DispatchRow): Promise<Content | null> {
  if (row.event_type === webhookTestType) return { body: testEventJson(row) }
  try {
    const page = await readLog(ports, row.tenant_id, row.event_seq - 1, {}, 1)
    const entry = page.entries.find(({ seq }) => seq === row.event_seq)
    return entry
      ? { body: narrowEvent(entry.json, { scopes: [], inboxId: null }), epoch: page.epoch.epoch }
      : null
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
  { body, epoch }: Content,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const problem = webhookUrlProblem(webhook.url, ports.settings.webhooksAllowPrivate)
  if (problem !== null) return failure(`The url cannot be used for a webhook: ${problem}.`)
  const secrets = webhookSecrets(ports, webhook)
  if (secrets.length === 0)
    return failure('The service can no longer derive the secret of this webhook. Rotate the secret.')
  const signed = await signWebhook(secrets, { id: row.event_id, timestampMs: ports.clock.now(), body })
  const headers = {
    ...signed,
    ...(epoch && { [epochHeader]: epoch }),
    'content-type': 'application/json',
    'user-agent': 'restante-webhooks/1',
  }
  return send({ url: webhook.url, headers, body }, signal)
}

/** Sends one dispatch once. @throws The reason of `signal`, if it aborts before an answer. */
export async function attempt(
  ports: WebhookPorts,
  send: PostToEndpoint,
  webhook: WebhookRow,
  row: DispatchRow,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const startedAtMs = ports.clock.now()
  const content = await contentOf(ports, row)
  const answer =
    content === null
      ? { ...failure('The event was deleted after its retention time, so it cannot be sent.'), final: true }
      : await post(ports, send, webhook, row, content, signal)
  return { ...answer, startedAtMs, durationMs: ports.clock.now() - startedAtMs }
}
