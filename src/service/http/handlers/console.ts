import { picturesOf } from '../../../mail/html/pictures'
import { createKey, listKeys, revokeKey } from '../../accounts/api-keys'
import { claimAccount, previewClaim } from '../../accounts/claim'
import { listAccounts, operatorSender, operatorsOf, ownAccount } from '../../accounts/operators'
import { loadLater } from '../../base/load-later'
import { notFound, refuse } from '../../base/refuse'
import { sha256InTurns } from '../../base/turns'
import { messageRowIn } from '../../messages/messages'
import { approveDraft, listWaiting, readWaiting, rejectDraft } from '../../outbound/drafts/approval'
import { readWaitingFile } from '../../outbound/drafts/file'
import { notePresence } from '../../takeover/presence'
import { AnswerWith } from '../answers/answer-with'
import { downloadResponse } from '../answers/download'
import { type Call, type Handlers, noStore, sentOrDraft } from './call'
import type { HttpPorts, Talk } from './ports'

/** Requires an account of the operator; those of others answer like unknown ones. */
const requireOwn = ({ ports, operator, request }: Call<{ account_id: string }>) =>
  ownAccount(ports, operator, request.account_id)

/** @throws ServiceError `capture_required` */
function talkOf({ talk }: HttpPorts): Talk {
  if (talk) return talk
  throw refuse(
    'capture_required',
    'This service delivers mail for real, where nobody outside can be played: run restante dev, or delivery: capture, to try an agent.',
  )
}

const decisionOf = ({ request }: Call<{ account_id: string; draft_id: string; seq: number }>) => ({
  tenantId: request.account_id,
  id: request.draft_id,
  seq: request.seq,
})

const loadFetch = loadLater(() => import('../../net/fetch-picture'))

interface AskedPicture {
  account_id: string
  message_id: string
  url: string
}

/**
 * Answers with an external picture of a message. Fetches only addresses in its HTML: this is no open proxy.
 *
 * @throws ServiceError `not_found`, `picture_unavailable`
 */
async function pictureResponse(
  ports: HttpPorts,
  asked: AskedPicture,
  signal: AbortSignal,
): Promise<Response> {
  const { store, resolver, clock, settings } = ports
  const scope = { tenantId: asked.account_id, inboxId: null, keyId: '', scopes: [] }
  const { body_html } = await messageRowIn(store.db, scope, asked.message_id)
  if (!picturesOf(body_html ?? '').has(asked.url.trim())) throw notFound('picture', asked.url.slice(0, 200))
  const { fetchPicture } = await loadFetch()
  const allowPrivate = settings.webhooksAllowPrivate
  const { content, contentType } = await fetchPicture(
    { resolver, clock, allowPrivate },
    asked.url.trim(),
    signal,
  ).catch((error: Error) => {
    throw refuse('picture_unavailable', `The picture could not be fetched: ${error.message}.`)
  })
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=86400',
    },
  })
}

export const consoleHandlers: Handlers['console'] = {
  preview: ({ ports, operator, request }) => previewClaim(ports, operator, request.token),
  claim: ({ ports, operator, request }) => claimAccount(ports, operator, request.token),
  accounts: ({ ports, operator, request }) => listAccounts(ports, operator, request),
  operators: async (call) => {
    await requireOwn(call)
    return { operators: await operatorsOf(call.ports, call.request.account_id) }
  },
  keys: async (call) => {
    await requireOwn(call)
    return listKeys(call.ports, call.request)
  },
  createKey: async (call) => {
    await requireOwn(call)
    return new AnswerWith(
      await createKey(call.ports, call.request, operatorSender(call.operator)),
      201,
      noStore,
    )
  },
  revokeKey: async (call) => {
    await requireOwn(call)
    return revokeKey(call.ports, call.request, operatorSender(call.operator))
  },
  drafts: async (call) => {
    await requireOwn(call)
    return listWaiting(call.ports, call.request.account_id, call.request)
  },
  draft: async (call) => {
    await requireOwn(call)
    return readWaiting(call.ports, call.request.account_id, call.request.draft_id)
  },
  draftFile: async (call) => {
    await requireOwn(call)
    const { account_id, draft_id, position } = call.request
    const { content, filename, content_type } = await readWaitingFile(
      call.ports,
      account_id,
      draft_id,
      position,
    )
    const version = await sha256InTurns(content)
    return downloadResponse({ content, filename, contentType: content_type, version })
  },
  approve: async (call) => {
    await requireOwn(call)
    return sentOrDraft(await approveDraft(call.ports, decisionOf(call), operatorSender(call.operator)))
  },
  presence: async (call) => {
    await requireOwn(call)
    const { account_id: tenantId, thread_id: id, state } = call.request
    const scope = { tenantId, keyId: '', inboxId: null, scopes: [] }
    return notePresence(call.ports, scope, operatorSender(call.operator), { id, state })
  },
  picture: async (call) => {
    await requireOwn(call)
    return pictureResponse(call.ports, call.request, call.incoming.signal)
  },
  talk: async (call) => {
    await requireOwn(call)
    const { account_id, ...mail } = call.request
    return talkOf(call.ports).write({ tenantId: account_id, keyId: '', inboxId: null, scopes: [] }, mail)
  },
  reject: async (call) => {
    await requireOwn(call)
    const decision = { ...decisionOf(call), reason: call.request.reason }
    return rejectDraft(call.ports, decision, operatorSender(call.operator))
  },
}
