import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ClaimLink } from '../../protocol/records'
import { minuteMs, refuse, refuseSuspended, sha256, timeOf } from '../base'
import { type ChangeContext, changeAccount } from '../log'
import type { AccountTable } from '../store/tables'
import { isExpired, requireWholeAccount } from './account'
import type { Scope } from './keys'
import type { AccountPorts } from './ports'

const lifetimeMs = 30 * minuteMs

/** A link that is bounded by the end of its account; its secret rides in the fragment, which no server ever sees. */
function makeLink(ports: AccountPorts, accountExpiresAt: string): { secret: string; link: ClaimLink } {
  const secret = randomBytes(32).toString('base64url')
  const inHalfAnHour = timeOf(ports.clock.now() + lifetimeMs)
  const claim_expires_at = inHalfAnHour < accountExpiresAt ? inHalfAnHour : accountExpiresAt
  const claim_url = `${ports.settings.consoleUrl}/claim#token=${secret}`
  return { secret, link: { claim_url, claim_expires_at } }
}

/** Deletes the links of an account that were not used: only the newest works. */
export async function forgetClaimLinks({ tx, account }: ChangeContext): Promise<void> {
  await tx
    .deleteFrom('claim_tokens')
    .where('tenant_id', '=', account.tenant_id)
    .where('used_at', 'is', null)
    .execute()
}

async function issue(
  ports: AccountPorts,
  change: ChangeContext,
  accountExpiresAt: string,
): Promise<ClaimLink> {
  const { secret, link } = makeLink(ports, accountExpiresAt)
  await forgetClaimLinks(change)
  const token = {
    token_hash: sha256(secret),
    tenant_id: change.account.tenant_id,
    expires_at: link.claim_expires_at,
    used_at: null,
  }
  await change.tx.insertInto('claim_tokens').values(token).execute()
  return link
}

const isClaimed = (account: Selectable<AccountTable>) => account.onboarding_state === 'claimed'

/** Makes the link that a replay of the signup answers; a dead one where there is nothing to claim any more. */
export function replayClaimLink(
  ports: AccountPorts,
  tenantId: string,
  accountExpiresAt: string,
): Promise<ClaimLink> {
  return changeAccount(ports, tenantId, async (change) => {
    const { account, now } = change
    return isClaimed(account) || isExpired(account, now)
      ? makeLink(ports, accountExpiresAt).link
      : issue(ports, change, accountExpiresAt)
  })
}

/**
 * Gives a fresh claim link, the one change that an unclaimed account may make (specification 2.2). It does not
 * lengthen the life of the account.
 *
 * @throws ServiceError `already_claimed`, `account_expired`, `account_suspended`, `insufficient_scope`
 */
export async function refreshClaimLink(ports: AccountPorts, scope: Scope): Promise<ClaimLink> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    const { account, now } = change
    refuseSuspended(account)
    if (isClaimed(account))
      throw refuse('already_claimed', 'The account has an operator already: there is nothing left to claim.')
    if (isExpired(account, now))
      throw refuse('account_expired', 'The account was not claimed in time: sign up anew.')
    return issue(ports, change, account.unclaimed_expires_at!)
  })
}
