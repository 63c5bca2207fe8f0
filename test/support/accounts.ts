import { randomBytes } from 'node:crypto'
import type { ServiceOptions } from 'restante/service'
import { openBeside } from './open-beside'
import { type CallOptions, caller, type QuietService } from './service'

/** An account of an agent, and the ways to talk as it. */
export interface TestAccount {
  tenantId: string
  inboxId: string
  address: string
  key: string
  /** Calls the interface with the key of the account. */
  call: ReturnType<typeof caller>
  /** Sends a mail, to `bo@example.com` where nothing is said. */
  send(body?: object): ReturnType<ReturnType<typeof caller>>
}

export async function signedUp(service: QuietService, body: object = {}): Promise<TestAccount> {
  const headers = { 'idempotency-key': randomBytes(32).toString('base64url') }
  const { body: made } = await service.call('POST', '/agent-signups', { key: null, headers, body })
  const call = (method: string, path: string, options?: CallOptions) =>
    caller(service.service, made.api_key)(method, path, options)
  return {
    tenantId: made.tenant_id,
    inboxId: made.inbox.id,
    address: made.inbox.address,
    key: made.api_key,
    call,
    send: (mail) =>
      call('POST', '/messages', { body: { to: ['bo@example.com'], subject: 'Hi', text: 'hello', ...mail } }),
  }
}

/** An account that a human has claimed at a time, without the human. */
export async function claimed(
  service: QuietService,
  options: ServiceOptions,
  { at, plan }: { at: number; plan?: string },
): Promise<TestAccount> {
  const account = await signedUp(service)
  const time = new Date(at).toISOString()
  const db = await openBeside(options)
  await db
    .updateTable('accounts')
    .set({ onboarding_state: 'claimed', claimed_at: time, sending_enabled_at: time })
    .where('tenant_id', '=', account.tenantId)
    .execute()
    .finally(() => db.destroy())
  if (plan !== undefined) await service.service.admin.plan(account.tenantId, plan)
  return account
}
