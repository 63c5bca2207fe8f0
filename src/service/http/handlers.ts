import type { Draft } from '../../protocol/records'
import { type Route, type RouteAnswer, type RouteRequest, type Routes, routes } from '../../protocol/routes'
import {
  type Caller,
  claimAccount,
  createKey,
  listAccounts,
  listKeys,
  type Operator,
  operatorSender,
  ownAccount,
  previewClaim,
  readAccount,
  refreshClaimLink,
  requireReadable,
  revokeKey,
  signUp,
  unauthorized,
} from '../accounts'
import { narrowEvent, refuse, sha256 } from '../base'
import {
  createConnection,
  deleteConnection,
  listConnections,
  readConnection,
  retryConnection,
} from '../connections'
import {
  ackLeases,
  createConsumer,
  deleteConsumer,
  extendLeases,
  leasedMessagesOf,
  leaseIdOf,
  leaseMessages,
  listConsumers,
  listDeadLetters,
  listSkipped,
  nackLeases,
  readConsumer,
  redriveDeadLetters,
  releaseLeases,
} from '../consumers'
import {
  createDomain,
  deleteDomain,
  listDomains,
  readDomain,
  rotateDomainKey,
  verifyDomain,
} from '../domains'
import { deleteInbox, eraseMessage, eraseThread } from '../erasure'
import { believeReport } from '../inbound'
import type { Talk } from '../inbound/talk'
import { createInbox, listInboxes, readInbox, updateInbox } from '../inboxes'
import {
  createList,
  createSuppression,
  deleteList,
  deleteSuppression,
  listLists,
  listSuppressions,
} from '../lists'
import { awaitLog, logHead } from '../log'
import {
  assignLabel,
  createLabel,
  createUpload,
  deleteLabel,
  listLabels,
  listThreads,
  readAttachment,
  readAttachmentFile,
  readMessage,
  readRaw,
  readThread,
  renameLabel,
  unassignLabel,
} from '../messages'
import { forwardMessage, replyToMessage, sendMessage } from '../outbound'
import {
  approveDraft,
  createDraft,
  deleteDraft,
  listDrafts,
  listWaiting,
  readDraft,
  readWaiting,
  readWaitingFile,
  rejectDraft,
  sendDraft,
  updateDraft,
} from '../outbound/drafts'
import type { SendAnswer } from '../outbound/submit'
import { listMessages, searchThreads } from '../search'
import {
  createWebhook,
  deleteWebhook,
  listDispatches,
  listWebhooks,
  readWebhook,
  recoverWebhook,
  redeliver,
  rotateWebhook,
  sendTestEvent,
  updateWebhook,
} from '../webhooks'
import { AnswerWith } from './answers'
import { readUpTo } from './body-limit'
import { downloadResponse, pictureResponse } from './download'
import type { HttpPorts } from './ports'

/** Request that was validated and admitted. */
export interface Call<Request> {
  ports: HttpPorts
  /** Owner of the key; nobody if an operator calls. */
  scope: Caller
  /** Human who calls; nobody if a key calls. */
  operator: Operator
  request: Request
  /** Original request: for routes with a raw body, or that wait as long as the caller does. */
  incoming: globalThis.Request
  /** Group that the client address is counted in; null if it is not limited. */
  client: string | null
}

type Handler<R extends Route> = (
  call: Call<RouteRequest<R>>,
) => Promise<RouteAnswer<R> | AnswerWith | Response>

/** One handler for each operation of the table, checked by the compiler. */
type Handlers = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route
      ? Handler<Routes[Group][Name]>
      : never
  }
}

const noStore = { 'cache-control': 'no-store' }

/** Explains what happens next to a draft that was not sent at once. */
function nextOf({ id, status, scheduled_at }: Draft): string | undefined {
  const told = `GET /drafts/${id} returns the result, as do the events draft.sent and draft.updated.`
  if (status === 'scheduled')
    return `Nothing was sent yet: it will be sent at ${scheduled_at}, unless you DELETE /drafts/${id}. ${told}`
  if (status === 'pending_approval')
    return `Nothing was sent yet: this key cannot send, so an operator must approve or reject the draft (restante approvals, or the console). Do not send it again. ${told}`
  return undefined
}

/** Answers with the result, or with a draft and status 202 if nothing was sent yet. */
const sentOrDraft = (answer: SendAnswer) =>
  'message_id' in answer ? answer : new AnswerWith({ ...answer, message: nextOf(answer) }, 202)

/**
 * Runs long work until the caller leaves, the key is revoked, or the service stops.
 *
 * @throws ServiceError `unauthorized`, `account_suspended` if the key was revoked meanwhile
 */
async function whileHeld<T>(
  { ports, scope, incoming }: Call<unknown>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const enough = new AbortController()
  const answer = () => enough.abort()
  if (ports.ending.aborted) answer()
  ports.ending.addEventListener('abort', answer)
  const unwatch = ports.revocations.watch(scope, (why) => ended.abort(why))
  const signal = AbortSignal.any([incoming.signal, ended.signal, enough.signal])
  const result = await work(signal).finally(() => {
    unwatch()
    ports.ending.removeEventListener('abort', answer)
  })
  if (ended.signal.aborted) {
    await requireReadable(ports, scope)
    throw unauthorized()
  }
  return result
}

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

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

/** One handler for each operation of the table. */
export const handlers: Handlers = {
  signups: {
    create: async ({ ports, request, client }) => {
      const { replayed, answer } = await signUp(ports, request, client)
      return new AnswerWith(answer, replayed ? 200 : 201, noStore)
    },
  },

  account: {
    get: ({ ports, scope }) => readAccount(ports, scope),
    claimLink: async ({ ports, scope }) => new AnswerWith(await refreshClaimLink(ports, scope), 201, noStore),
  },

  inboxes: {
    create: async ({ ports, scope, request }) => {
      const { replayed, answer } = await createInbox(ports, scope, request)
      return new AnswerWith(answer, replayed ? 200 : 201)
    },
    list: ({ ports, scope, request }) => listInboxes(ports, scope, request),
    get: ({ ports, scope, request }) => readInbox(ports, scope, request.id),
    update: ({ ports, scope, request }) => updateInbox(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteInbox(ports, scope, request.id),
  },

  threads: {
    list: ({ ports, scope, request }) =>
      request.q === undefined ? listThreads(ports, scope, request) : searchThreads(ports, scope, request),
    get: ({ ports, scope, request }) => readThread(ports, scope, request.id),
    delete: ({ ports, scope, request }) => eraseThread(ports, scope, request.id),
  },

  messages: {
    list: ({ ports, scope, request }) => listMessages(ports, scope, request),
    get: ({ ports, scope, request }) => readMessage(ports, scope, request.id),
    raw: async ({ ports, scope, request }) =>
      new Response((await readRaw(ports, scope, request.id)) as Uint8Array<ArrayBuffer>, {
        headers: {
          'content-type': 'message/rfc822',
          'content-disposition': `attachment; filename="${request.id}.eml"`,
          'x-content-type-options': 'nosniff',
        },
      }),
    delete: ({ ports, scope, request }) => eraseMessage(ports, scope, request.id),
    send: async ({ ports, scope, request }) => sentOrDraft(await sendMessage(ports, scope, request)),
    forward: async ({ ports, scope, request }) => sentOrDraft(await forwardMessage(ports, scope, request)),
    believeReport: ({ ports, scope, request }) => believeReport(ports, scope, request.id),
    reply: async ({ ports, scope, request }) => sentOrDraft(await replyToMessage(ports, scope, request)),
  },

  drafts: {
    create: ({ ports, scope, request }) => createDraft(ports, scope, request),
    list: ({ ports, scope, request }) => listDrafts(ports, scope, request),
    get: ({ ports, scope, request }) => readDraft(ports, scope, request),
    update: ({ ports, scope, request }) => updateDraft(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteDraft(ports, scope, request),
    send: async ({ ports, scope, request }) => sentOrDraft(await sendDraft(ports, scope, request)),
  },

  attachments: {
    get: ({ ports, scope, request }) => readAttachment(ports, scope, request.id),
    content: async ({ ports, scope, request }) => {
      const { row, content } = await readAttachmentFile(ports, scope, request.id)
      return downloadResponse({
        content,
        filename: row.filename ?? row.id,
        contentType: row.content_type,
        version: row.id,
        range: request.range,
        ifRange: request['if-range'],
      })
    },
  },

  domains: {
    create: ({ ports, scope, request }) => createDomain(ports, scope, request),
    list: ({ ports, scope, request }) => listDomains(ports, scope, request),
    get: ({ ports, scope, request }) => readDomain(ports, scope, request.id),
    verify: ({ ports, scope, request }) => verifyDomain(ports, scope, request.id),
    rotate: ({ ports, scope, request }) => rotateDomainKey(ports, scope, request.id),
    delete: ({ ports, scope, request }) => deleteDomain(ports, scope, request.id),
  },

  uploads: {
    create: ({ ports, scope, request, incoming }) =>
      createUpload(ports, scope, {
        filename: request.filename,
        contentType: incoming.headers.get('content-type') ?? '',
        content: () => readUpTo(routes.uploads.create.maxBodyBytes, incoming),
      }),
  },

  labels: {
    create: ({ ports, scope, request }) => createLabel(ports, scope, request),
    list: ({ ports, scope, request }) => listLabels(ports, scope, request),
    update: ({ ports, scope, request }) => renameLabel(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteLabel(ports, scope, request.id),
    assign: ({ ports, scope, request }) => assignLabel(ports, scope, request),
    unassign: ({ ports, scope, request }) => unassignLabel(ports, scope, request),
  },

  lists: {
    create: ({ ports, scope, request }) => createList(ports, scope, request),
    list: ({ ports, scope, request }) => listLists(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteList(ports, scope, request.id),
  },

  suppressions: {
    create: async ({ ports, scope, request }) => {
      const { replayed, answer } = await createSuppression(ports, scope, request)
      return replayed ? new AnswerWith(answer, 200) : answer
    },
    list: ({ ports, scope, request }) => listSuppressions(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteSuppression(ports, scope, request.id),
  },

  events: {
    list: async (call) => {
      const { ports, scope, request } = call
      await requireReadable(ports, scope)
      const wanted = scope.inboxId ?? request.inbox_id
      const filter = { inboxIds: wanted ? [wanted] : undefined, types: request.types?.split(',') }
      const { tenantId } = scope
      const after = request.after === 'now' ? await logHead(ports, tenantId) : request.after
      const page = await whileHeld(call, (signal) =>
        awaitLog(ports, tenantId, after, filter, request.limit, request.wait_ms, signal),
      )
      const events = page.entries.map((entry) => narrowEvent(entry.json, scope)).join()
      const { epoch, epoch_from } = page.epoch
      return json(
        `{"events":[${events}],"from":${page.from},"to":${page.to},"head":${page.head},"epoch":"${epoch}","epoch_from":${epoch_from}}`,
      )
    },
  },

  connections: {
    create: async ({ ports, scope, request, client, incoming }) => {
      const { replayed, answer } = await createConnection(ports, scope, request, client, incoming.signal)
      return new AnswerWith(answer, replayed ? 200 : 201)
    },
    list: ({ ports, scope, request }) => listConnections(ports, scope, request),
    get: ({ ports, scope, request }) => readConnection(ports, scope, request.id),
    retry: ({ ports, scope, request }) => retryConnection(ports, scope, request.id),
    delete: ({ ports, scope, request }) => deleteConnection(ports, scope, request.id),
  },

  consumers: {
    create: async ({ ports, scope, request }) => {
      const { replayed, answer } = await createConsumer(ports, scope, request)
      return new AnswerWith(answer, replayed ? 200 : 201)
    },
    list: ({ ports, scope, request }) => listConsumers(ports, scope, request),
    get: ({ ports, scope, request }) => readConsumer(ports, scope, request.name),
    delete: ({ ports, scope, request }) => deleteConsumer(ports, scope, request.name),
    lease: (call) =>
      whileHeld(call, async (signal) => {
        const { ports, scope, request } = call
        const { name } = request
        const rows = await leaseMessages(ports, scope, name, request, signal)
        // The caller left, so nobody would handle them.
        if (signal.aborted && rows.length > 0) {
          await releaseLeases(ports, scope, { name, leases: rows.map(leaseIdOf) })
          return { deliveries: [] }
        }
        return { deliveries: await leasedMessagesOf(ports, scope, rows) }
      }),
    ack: ({ ports, scope, request }) => ackLeases(ports, scope, request),
    nack: ({ ports, scope, request }) => nackLeases(ports, scope, request),
    extend: ({ ports, scope, request }) => extendLeases(ports, scope, request),
    release: ({ ports, scope, request }) => releaseLeases(ports, scope, request),
    deadLetters: ({ ports, scope, request }) => listDeadLetters(ports, scope, request),
    skipped: ({ ports, scope, request }) => listSkipped(ports, scope, request),
    redrive: ({ ports, scope, request }) => redriveDeadLetters(ports, scope, request),
  },

  webhooks: {
    create: ({ ports, scope, request }) => createWebhook(ports, scope, request),
    list: ({ ports, scope, request }) => listWebhooks(ports, scope, request),
    get: ({ ports, scope, request }) => readWebhook(ports, scope, request.id),
    update: ({ ports, scope, request }) => updateWebhook(ports, scope, request),
    delete: ({ ports, scope, request }) => deleteWebhook(ports, scope, request.id),
    rotate: ({ ports, scope, request }) => rotateWebhook(ports, scope, request.id),
    test: ({ ports, scope, request }) => sendTestEvent(ports, scope, request.id),
    deliveries: ({ ports, scope, request }) => listDispatches(ports, scope, request),
    redeliver: ({ ports, scope, request }) => redeliver(ports, scope, request),
    recover: ({ ports, scope, request }) => recoverWebhook(ports, scope, request),
  },

  inbound: {
    deliver: ({ ports, scope, request, incoming }) => {
      const { from, to, client_ip: clientIp, helo, 'idempotency-key': sourceId } = request
      return ports.inboundDoor.deliverBody(scope, { from, to, clientIp, helo, sourceId }, incoming)
    },
    post: ({ ports, request, incoming }) =>
      ports.inboundDoor.post(request.key_id, request.provider, incoming),
  },

  console: {
    preview: ({ ports, operator, request }) => previewClaim(ports, operator, request.token),
    claim: ({ ports, operator, request }) => claimAccount(ports, operator, request.token),
    accounts: ({ ports, operator, request }) => listAccounts(ports, operator, request),
    keys: async (call) => {
      await requireOwn(call)
      return listKeys(call.ports, call.request)
    },
    createKey: async (call) => {
      await requireOwn(call)
      return new AnswerWith(await createKey(call.ports, call.request), 201, noStore)
    },
    revokeKey: async (call) => {
      await requireOwn(call)
      return revokeKey(call.ports, call.request)
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
      return downloadResponse({ content, filename, contentType: content_type, version: sha256(content) })
    },
    approve: async (call) => {
      await requireOwn(call)
      return sentOrDraft(await approveDraft(call.ports, decisionOf(call), operatorSender(call.operator)))
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
      return rejectDraft(call.ports, { ...decisionOf(call), reason: call.request.reason })
    },
  },
}
