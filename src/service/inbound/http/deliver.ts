import { isServiceError, type ServiceError } from '../../../protocol/errors/error'
import { maxMailBytes } from '../../../protocol/records/upload-limit'
import { refuse } from '../../base/refuse'
import { maxKeptBytes } from '../../messages/add-message'
import type { Ingest, MailEnvelope } from '../ingest'
import type { InboundPorts } from '../ports'
import { checkRecipient, findReachedInboxes } from '../recipient-check'
import type { MemoryBudget } from '../smtp/message-buffer'
import { createSenderCheck, unjudged } from '../smtp/sender-check'
import { withBody } from './body'
import { type InboundEndpoint, type InboundKey, isPassing } from './endpoint'
import { createProviderEndpoint } from './post'
import type { FetchBytes, PostedEnvelope } from './providers/provider'

/** Maximum bytes that the bodies of all inbound requests hold together. */
const maxMemoryBytes = 256 * 1024 * 1024

type Refused = { to: string; error: ServiceError }

/** Returns the recipients that accept the message now, and why the others do not. */
async function sortRecipients(ports: InboundPorts, key: InboundKey, { from, to }: PostedEnvelope) {
  const found = await findReachedInboxes(ports, to)
  const isIts = (recipient: string) => {
    const row = found.get(recipient)
    if (!row || key.everywhere) return true
    return row.tenant_id === key.tenantId && (key.inboxId === null || row.inbox_id === key.inboxId)
  }
  const takers: string[] = []
  const refused: Refused[] = []
  let passing: ServiceError | undefined
  for (const recipient of new Set(to)) {
    try {
      // An inbox of another account looks like an unknown one.
      if (!isIts(recipient))
        throw refuse('mailbox_unavailable', `No inbox here has the address ${recipient}.`)
      await checkRecipient(ports, recipient, from)
      takers.push(recipient)
    } catch (error) {
      if (!isServiceError(error)) throw error
      if (isPassing(error)) passing ??= error
      else refused.push({ to: recipient, error })
    }
  }
  return { takers, refused, found, passing }
}

/** Evaluates the sender. A key holder can claim any origin, so only that of a trusted key is used. */
async function judge(ports: InboundPorts, key: InboundKey, posted: PostedEnvelope, raw: Uint8Array) {
  if (!ports.settings.checksSenders) return unjudged
  const { from: mailFrom, clientIp = null, helo = '', spf } = posted
  const origin = key.trusted ? { remoteAddress: clientIp, heloName: helo, spf } : noOrigin
  return createSenderCheck({ resolver: ports.resolver, verifier: ports.parser })({ mailFrom, ...origin }, raw)
}

/** Creates the inbound endpoints. */
export function createInboundEndpoint(
  ports: InboundPorts,
  ingest: Ingest,
  fetchBytes: FetchBytes,
): InboundEndpoint {
  const budget: MemoryBudget = { maxBytes: maxMemoryBytes, usedBytes: 0 }

  async function deliver(key: InboundKey, posted: PostedEnvelope, raw: Uint8Array<ArrayBuffer>) {
    const isTooLarge = raw.byteLength > maxMailBytes
    if (isTooLarge && !posted.isCut)
      throw refuse(
        'message_too_large',
        `The mail is ${raw.byteLength} bytes; ${maxMailBytes} are the most here.`,
      )
    if (raw.byteLength === 0)
      throw refuse(
        'invalid_request',
        'There is no mail in the body: send it as message/rfc822, byte for byte.',
      )
    const { takers, refused, found, passing } = await sortRecipients(ports, key, posted)
    if (takers.length === 0) throw passing ?? refused[0]!.error
    const envelope: MailEnvelope = {
      mailFrom: posted.from,
      recipients: takers,
      remoteAddress: (key.trusted && posted.clientIp) || null,
      ...(key.trusted && posted.helo !== undefined && { heloName: posted.helo }),
      ...(await judge(ports, key, posted, raw)),
      ...(isTooLarge && { wholeBytes: raw.byteLength }),
      source: { keyId: key.keyId, id: posted.sourceId ?? null },
    }
    const { taken } = await ingest(envelope, isTooLarge ? raw.slice(0, maxKeptBytes) : raw)
    // The request is repeated, and messages accepted now are recognised then.
    if (passing) throw passing
    const inboxes = new Set(taken.map(({ inboxId }) => inboxId))
    const late = takers.filter((one) => !inboxes.has(found.get(one)?.inbox_id ?? ''))
    return {
      messages: taken.map(({ id, inboxId, threadId }) => ({ id, inbox_id: inboxId, thread_id: threadId })),
      refused: [
        ...refused.map(({ to, error }) => ({ to, error: error.code, message: error.message })),
        ...late.map((to) => ({ to, error: 'sender_blocked', message: `${to} does not take this mail.` })),
      ],
      idempotent: taken.every(({ repeated }) => repeated),
    }
  }

  return {
    deliver,
    deliverBody: (key, posted, request) =>
      withBody(request, { maxBytes: maxMailBytes, budget }, (raw) => deliver(key, posted, raw)),
    post: createProviderEndpoint({ ports, deliver, budget, fetchBytes }).post,
  }
}

const noOrigin = { remoteAddress: null, heloName: '' }
