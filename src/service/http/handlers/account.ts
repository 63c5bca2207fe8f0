import { readAccount } from '../../core/account'
import { refreshClaimLink } from '../../core/claim-link'
import type { Handlers } from '../handler'

export const accountHandlers: Handlers['account'] = {
  get: ({ core, scope }) => readAccount(core, scope),
  claimLink: async ({ core, scope }) =>
    Response.json(await refreshClaimLink(core, scope), {
      status: 201,
      headers: { 'cache-control': 'no-store' },
    }),
}
