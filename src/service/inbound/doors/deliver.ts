import { isServiceError, type ServiceError } from '../../../protocol/errors'
import { maxMailBytes } from '../../../protocol/records'
import { loadLater, refuse } from '../../base'
import { maxKeptBytes } from '../../messages'
import { checkRecipient, findReachedInboxes, type InboundPorts, type Ingest, type MailEnvelope } from '..'
import type { MemoryBudget } from '../smtp'
import { withBody } from './body'
import type { Bringer, InboundDoor } from './door'
import { isPassing } from './passing'
import { createProviderDoor } from './post'
import type { Brought, FetchBytes } from './providers'

const loadSenderCheck = loadLater(() => import('../smtp/sender-check'))

/** Maximum bytes that the bodies of all inbound requests hold together. */
const maxMemoryBytes = 256 * 1024 * 1024

type Refused = { to: string; error: ServiceError }

/** Returns the recipients that accept the message now, and why the others do not. */
async function sortRecipients(ports: InboundPorts, bringer: Bringer, { from, to }: Brought) {
  const found = await findReachedInboxes(ports, to)
  const isIts = (recipient: string) => {
    const row = found.get(recipient)
    if (!row || bringer.everywhere) return true
    return (
      row.tenant_id === bringer.tenantId && (bringer.inboxId === null || row.inbox_id === bringer.inboxId)
    )
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

/** Creates the inbound endpoints. */
export function createInboundDoor(ports: InboundPorts, takeIn: Ingest, fetchBytes: FetchBytes): InboundDoor {
  const budget: MemoryBudget = { maxBytes: maxMemoryBytes, usedBytes: 0 }

  /** Evaluates the sender. A key holder can claim any origin, so only that of a trusted key is used. */
  async function judge(bringer: Bringer, brought: Brought, raw: Uint8Array) {
    const { createSenderCheck, unjudged } = await loadSenderCheck()
    if (!ports.settings.checksSenders) return unjudged
    const { from: mailFrom, clientIp = null, helo = '', spf } = brought
    const told = bringer.trusted ? { remoteAddress: clientIp, heloName: helo, spf } : noOrigin
    return createSenderCheck({ resolver: ports.resolver, verifier: ports.parser })({ mailFrom, ...told }, raw)
  }

  async function deliver(bringer: Bringer, brought: Brought, raw: Uint8Array<ArrayBuffer>) {
    const isTooLarge = raw.byteLength > maxMailBytes
    if (isTooLarge && !brought.isCut)
      throw refuse(
        'message_too_large',
        `The mail is ${raw.byteLength} bytes; ${maxMailBytes} are the most here.`,
      )
    if (raw.byteLength === 0)
      throw refuse(
        'invalid_request',
        'There is no mail in the body: send it as message/rfc822, byte for byte.',
      )
    const { takers, refused, found, passing } = await sortRecipients(ports, bringer, brought)
    if (takers.length === 0) throw passing ?? refused[0]!.error
    const envelope: MailEnvelope = {
      mailFrom: brought.from,
      recipients: takers,
      remoteAddress: (bringer.trusted && brought.clientIp) || null,
      ...(bringer.trusted && brought.helo !== undefined && { heloName: brought.helo }),
      ...(await judge(bringer, brought, raw)),
      ...(isTooLarge && { wholeBytes: raw.byteLength }),
      source: { keyId: bringer.keyId, id: brought.sourceId ?? null },
    }
    const { taken } = await takeIn(envelope, isTooLarge ? raw.slice(0, maxKeptBytes) : raw)
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
    deliverBody: (bringer, brought, request) =>
      withBody(request, { maxBytes: maxMailBytes, budget }, (raw) => deliver(bringer, brought, raw)),
    post: createProviderDoor({ ports, deliver, budget, fetchBytes }),
  }
}

const noOrigin = { remoteAddress: null, heloName: '' }
