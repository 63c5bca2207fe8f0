import { readAccount } from '../../accounts/account'
import { refreshClaimLink } from '../../accounts/claim'
import { signUp } from '../../accounts/signup'
import { AnswerWith } from '../answers/answer-with'
import { type Handlers, noStore } from './call'

export const signupsHandlers: Handlers['signups'] = {
  create: async ({ ports, request, client }) => {
    const { replayed, answer } = await signUp(ports, request, client)
    return new AnswerWith(answer, replayed ? 200 : 201, noStore)
  },
}

export const accountHandlers: Handlers['account'] = {
  get: ({ ports, scope }) => readAccount(ports, scope),
  claimLink: async ({ ports, scope }) => new AnswerWith(await refreshClaimLink(ports, scope), 201, noStore),
}
