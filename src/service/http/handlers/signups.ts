import { signUp } from '../../core/signup'
import type { Handlers } from '../handler'

export const signupsHandlers: Handlers['signups'] = {
  create: async ({ core, request }) => {
    const { replayed, answer } = await signUp(core, request)
    return Response.json(answer, { status: replayed ? 200 : 201, headers: { 'cache-control': 'no-store' } })
  },
}
