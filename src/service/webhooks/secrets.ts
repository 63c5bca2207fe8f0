import { webhookSecret } from '../../protocol/webhook-secret'
import { dayMs, now, timeOf } from '../base/time'
import type { WebhookTable } from '../store/tables/webhook-tables'
import type { WebhookPorts } from './ports'

/** Source of a secret: the secret is derived from it, so that the database holds none. */
interface SecretSource {
  secret_id: string
  generation: number
  /** Time from which it is invalid, ISO 8601; null for the newest. */
  expires_at: string | null
}

type SecretOwner = Pick<WebhookTable, 'tenant_id' | 'id' | 'secrets'>

const overlapMs = dayMs
const maxSecrets = 5

const readSources = (owner: SecretOwner): SecretSource[] => JSON.parse(owner.secrets)

/** Returns the sources of a new webhook. */
export const firstSecretSource = (ports: WebhookPorts): string =>
  JSON.stringify([{ secret_id: ports.secrets.currentId, generation: 1, expires_at: null }])

/** Adds a new source in front; older ones stay valid for a day, at most four of them. */
export function rotatedSources(ports: WebhookPorts, owner: SecretOwner): string {
  const before = readSources(owner)
  const generation = before[0]!.generation + 1
  const inOneDay = timeOf(ports.clock.now() + overlapMs)
  const old = before
    .map((source) => ({ ...source, expires_at: source.expires_at ?? inOneDay }))
    .filter((source) => source.expires_at > now(ports))
  const fresh: SecretSource = { secret_id: ports.secrets.currentId, generation, expires_at: null }
  return JSON.stringify([fresh, ...old].slice(0, maxSecrets))
}

/** Returns the secrets that sign dispatches now, newest first; empty if the server's own were removed. */
export function webhookSecrets(ports: WebhookPorts, owner: SecretOwner): string[] {
  return readSources(owner)
    .filter(({ expires_at }) => expires_at === null || expires_at > now(ports))
    .map(({ secret_id, generation }) =>
      ports.secrets.derive(secret_id, 'webhook secret', `${owner.tenant_id}/${owner.id}/${generation}`),
    )
    .filter((bytes) => bytes !== null)
    .map((bytes) => webhookSecret(Buffer.from(bytes, 'base64url')))
}
