import { z } from 'zod'
import { inboundProvider, newApiKey } from '../../protocol/records'
import { type ChangePorts, createKey } from '../accounts'
import { createSecrets, refuse, type Secrets } from '../base'
import { findAccountId } from '../inbound'
import type { AdminCommand } from './admin-channel'
import { carryOutAnywhere, type Place } from './anywhere'
import { findSecret } from './secret-file'

const order = z.object({
  /** The account whose inboxes it reaches; all accounts where there is none. */
  account: z.string().optional(),
  name: z.string(),
  trusted: z.boolean(),
  provider: inboundProvider.optional(),
})
/** A key that brings mail in, as the host asks for it. */
export type InboundKeyOrder = z.infer<typeof order>

type Ports = ChangePorts & { secrets: Secrets }

async function homeOf({ store }: Pick<Ports, 'store'>): Promise<string> {
  const row = await store.db.selectFrom('host').select('value').where('key', '=', 'home').executeTakeFirst()
  if (row) return (JSON.parse(row.value) as { tenantId: string }).tenantId
  throw refuse('account_not_found', 'The service was never started: start it once.')
}

async function carryOut(ports: Ports, { account, ...asked }: InboundKeyOrder) {
  const account_id = account === undefined ? await homeOf(ports) : await findAccountId(ports, account)
  return createKey(ports, { ...asked, account_id, scopes: ['inbound'], everywhere: account === undefined })
}

/** The command that makes a key which brings mail in, for the channel of the host. */
export const inboundKeyCommands = (ports: Ports): Record<'inbound-key', AdminCommand> => ({
  'inbound-key': (request) => carryOut(ports, order.parse(request)),
})

/**
 * Makes a key that brings mail in, whether a service runs or not.
 *
 * @throws RestanteError `account_not_found`, `key_limit_reached`. UsageError where the database cannot be opened
 */
export async function administerInboundKey(
  place: Place & Parameters<typeof findSecret>[0],
  asked: InboundKeyOrder,
) {
  const request = { command: 'inbound-key', ...asked }
  const answer = await carryOutAnywhere(place, request, (ground) =>
    carryOut({ ...ground, secrets: createSecrets(findSecret(place)) }, asked),
  )
  return newApiKey.parse(answer)
}
