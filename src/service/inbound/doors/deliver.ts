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

/** What the bodies of all requests that bring mail may hold together. */
const maxMemoryBytes = 256 * 1024 * 1024

type Refused = { to: string; error: ServiceError }

/** Tells which recipients take the mail now, and why the others do not. */
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
      // Another account's inbox answers as one that never was.
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

/** Makes the door. */
export function createInboundDoor(ports: InboundPorts, takeIn: Ingest, fetchBytes: FetchBytes): InboundDoor {
  const budget: MemoryBudget = { maxBytes: maxMemoryBytes, usedBytes: 0 }

  /** Judges the sender; whoever holds a key can claim any address, so that only a trusted one is asked for it. */
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
    // It is repeated, and what was taken now is recognised then.
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
