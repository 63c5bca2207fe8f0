import { createKey, listKeys, revokeKey } from '../../core/api-keys'
import { claimAccount, previewClaim } from '../../core/claim'
import { listAccounts, ownAccount } from '../../core/operators'
import type { Call, Handlers } from '../handler'

/** Another's account answers as one that never was, whatever is asked of it. */
const requireOwn = ({ core, operator, request }: Call<{ account_id: string }>) =>
  ownAccount(core, operator, request.account_id)

export const consoleHandlers: Handlers['console'] = {
  preview: ({ core, operator, request }) => previewClaim(core, operator, request.token),
  claim: ({ core, operator, request }) => claimAccount(core, operator, request.token),
  accounts: ({ core, operator, request }) => listAccounts(core, operator, request),
  keys: async (call) => {
    await requireOwn(call)
    return listKeys(call.core, call.request)
  },
  createKey: async (call) => {
    await requireOwn(call)
    return Response.json(await createKey(call.core, call.request), {
      status: 201,
      headers: { 'cache-control': 'no-store' },
    })
  },
  revokeKey: async (call) => {
    await requireOwn(call)
    return revokeKey(call.core, call.request)
  },
}
