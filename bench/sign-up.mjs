import { randomBytes } from 'node:crypto'

/** Signs an agent up at a service. */
export async function signUp(url) {
  const headers = {
    'idempotency-key': randomBytes(32).toString('base64url'),
    'content-type': 'application/json',
  }
  const response = await fetch(`${url}/agent-signups`, { method: 'POST', headers, body: '{}' })
  const answer = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return { tenantId: answer.tenant_id, apiKey: answer.api_key, address: answer.inbox.address }
}
