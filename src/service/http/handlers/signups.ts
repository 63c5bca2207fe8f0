import { signUp } from '../../core/signup'
import type { Handlers } from '../handler'

export const signupsHandlers: Handlers['signups'] = {
  create: async ({ core, request, client }) => {
    const { replayed, answer } = await signUp(core, request, client)
    return Response.json(answer, { status: replayed ? 200 : 201, headers: { 'cache-control': 'no-store' } })
  },
}
