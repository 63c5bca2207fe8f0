import { asciiDomain, baseAddress, splitAddress } from '../../mail/headers/address'
import { withoutTrace } from '../../mail/headers/header-bytes'
import type { ParsedMail } from '../../mail/parsed-mail'
import { isServiceError } from '../../protocol/errors/error'
import { fieldProof, provenView } from '../../protocol/proven-view'
import type { Authentication } from '../../protocol/records/message'
import { maxRecipients } from '../../protocol/records/upload-limit'
import { traced, traceparent } from '../../protocol/trace'
import { requireReceiving } from '../accounts/addresses'
import type { ReachedInbox } from '../accounts/known-recipients'
import { takeStorage } from '../accounts/storage'
import { refuse } from '../base/refuse'
import { senderProofOf } from '../base/sender-proof'
import { dayMs, timeOf } from '../base/time'
import { sha256InTurns } from '../base/turns'
import { findHosts } from '../domains/domain-hosts'
import { requestTexts } from '../extraction/text-job'
import { requireListedSender } from '../lists/list-check'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { MessageAdder, type NewMessage, storedBytesOf } from '../messages/add-message'
import { storeOriginal } from '../messages/originals'
import type { SoundSignature } from './authentication/dkim'
import { deliveryOf, findDelivery, noteDelivery, type Place } from './deliveries'
import type { InboundPorts } from './ports'
import { findReachedInboxes } from './recipient-check'
import { matchReports, settleReports } from './reports'
import { treatSenders } from './treated-senders'
import { completeVerdict } from './verdict'

/** Envelope of a message (RFC 5321 section 2.3.1). */
export interface MailEnvelope {
  mailFrom: string
  recipients: readonly string[]
  /** Address of the sending host; null if unknown, undefined if the message comes from this service. */
  remoteAddress?: string | null | undefined
  /** Name that the sender gave in HELO or EHLO. */
  heloName?: string | undefined
  /** Verdicts on its sender, if there are any. */
  authentication?: Authentication | null | undefined
  /**
   * Domain of From that `authentication` is about: A-labels, lower case. Without it, or if the message shows
   * another sender, `from_verified` and `dkim_aligned` do not count.
   */
  judgedDomain?: string | null | undefined
  /** Evidence of `authentication`. */
  signatures?: readonly SoundSignature[] | undefined
  spfAligned?: boolean | undefined
  /** Full size of a message that is too large, if only its start is given. */
  wholeBytes?: number | undefined
  /** Key that delivers it, and the id that its source has for it. Undefined for SMTP. */
  source?: { keyId: string; id: string | null } | undefined
}

/** Message in an inbox that accepted it. */
interface Taken {
  id: string
  inboxId: string
  threadId: string
  /** True if it had been accepted before. */
  repeated: boolean
}

/** Ingests a message. Resolves when it is on disk, with its id and the message of each inbox. */
export type Ingest = (envelope: MailEnvelope, raw: Uint8Array) => Promise<{ queueId: string; taken: Taken[] }>

export type Outcome = Taken | { error: unknown }
const maxInBatch = 100
/** Bytes of messages after which a commit takes no more: the database may run on the main thread. */
const maxBatchBytes = 1024 * 1024

/** Finds the message that this repeats: same bytes except trace headers, same inbox, within a day. */
async function repeatOf(
  change: ChangeContext,
  adder: MessageAdder,
  message: NewMessage,
): Promise<Place | null> {
  const earlierId = adder.arrived(message)
  if (!earlierId) return null
  const added = adder.justAdded(earlierId, message)
  if (added) return added
  const row = await change.tx
    .selectFrom('messages')
    .select(['id', 'thread_id as threadId'])
    .where('tenant_id', '=', change.account.tenant_id)
    .where('id', '=', earlierId)
    .where('direction', '=', 'inbound')
    .where('content_hash', '=', message.contentHash)
    .where('created_at', '>=', timeOf(Date.parse(change.now) - dayMs))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the existing inboxes of an account, null if it never deleted one. One may have been deleted since
 * its address was looked up.
 */
async function liveInboxes({ tx, account }: ChangeContext): Promise<Set<string> | null> {
  if (account.deleted_inboxes === 0) return null
  const rows = await tx
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Adds the messages that the account may receive, within a change. Counts them if it is unclaimed. */
export async function receive(
  ports: InboundPorts,
  change: ChangeContext,
  arrived: readonly NewMessage[],
): Promise<Outcome[]> {
  const messages = await treatSenders(change, await matchReports(ports, change, arrived))
  const adder = await MessageAdder.load(change, messages)
  const { account } = change
  const alive = await liveInboxes(change)
  const outcomes: Outcome[] = []
  const added: NewMessage[] = []
  const withFiles: string[] = []
  for (const message of messages) {
    const { inboxId } = message
    try {
      // An accepted message stays accepted, independent of later changes.
      const delivered = await findDelivery(change, message)
      if (delivered) {
        outcomes.push({ ...delivered, inboxId, repeated: true })
        continue
      }
      if (alive && !alive.has(message.inboxId))
        throw refuse('address_retired', 'The inbox with this address was deleted.')
      if (!message.forOperator) {
        requireReceiving(account, change.now, message.size)
        await requireListedSender(change.tx, account, message)
      }
      const repeated = await repeatOf(change, adder, message)
      if (!repeated) await reserveStorage(ports, change, message)
      const place = repeated ?? adder.add(message, 'message.received')
      await noteDelivery(change, message, place)
      outcomes.push({ ...place, inboxId, repeated: repeated !== null })
      if (repeated) continue
      countReceived(account, message.size)
      if (!message.spam && message.mail.attachments.length > 0) withFiles.push(place.id)
      added.push(message)
    } catch (error) {
      outcomes.push({ error })
    }
  }
  await adder.save()
  await requestTexts(ports, change, withFiles)
  await settleReports(ports, change, added)
  if (account.onboarding_state === 'unclaimed') await saveUsage(change)
  return outcomes
}

/**
 * Reserves storage. A message to the operator is refused only if the whole service is full.
 *
 * @throws ServiceError `storage_limit_reached`
 */
const reserveStorage = (ports: InboundPorts, change: ChangeContext, message: NewMessage): Promise<void> =>
  message.forOperator
    ? ports.totalStorage.take(change.tx, storedBytesOf(message))
    : takeStorage(ports, change, storedBytesOf(message))

function countReceived(account: ChangeContext['account'], bytes: number): void {
  if (account.onboarding_state !== 'unclaimed') return
  account.received_messages += 1
  account.received_bytes += bytes
}

async function saveUsage({ tx, account }: ChangeContext): Promise<void> {
  const { received_messages, received_bytes } = account
  await tx
    .updateTable('accounts')
    .set({ received_messages, received_bytes })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

interface Waiting {
  message: NewMessage
  resolve: (taken: Taken) => void
  reject: (error: unknown) => void
}

/** Removes the first messages, for one commit. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  let count = 0
  while (count < Math.min(waiting.length, maxInBatch) && bytes < maxBatchBytes)
    bytes += waiting[count++]!.message.size
  return waiting.splice(0, count)
}

type AddToBatch = (tenantId: string, message: NewMessage) => Promise<Taken>

/**
 * Collects messages that arrive for an account while an earlier batch commits, so that a flood needs few
 * transactions. A single message does not wait. If a batch fails, its messages are retried one by one: a
 * message that cannot be stored harms no other.
 */
function createBatches(ports: InboundPorts): AddToBatch {
  const accounts = new Map<string, Waiting[]>()

  async function commit(tenantId: string, batch: Waiting[]): Promise<void> {
    try {
      const messages = batch.map((one) => one.message)
      const outcomes = await changeAccount(ports, tenantId, (change) => receive(ports, change, messages))
      outcomes.forEach((outcome, i) => {
        if ('id' in outcome) batch[i]!.resolve(outcome)
        else batch[i]!.reject(outcome.error)
      })
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error)
      for (const one of batch) await commit(tenantId, [one])
    }
  }

  async function run(tenantId: string, batch: Waiting[]): Promise<void> {
    while (batch.length > 0) await commit(tenantId, takeBatch(batch))
    accounts.delete(tenantId)
  }

  return (tenantId, message) =>
    new Promise((resolve, reject) => {
      const batch = accounts.get(tenantId)
      if (batch) return void batch.push({ message, resolve, reject })
      const fresh = [{ message, resolve, reject }]
      accounts.set(tenantId, fresh)
      setImmediate(run, tenantId, fresh)
    })
}

/**
 * Accepts a message for several inboxes if one of them accepts it, since a refusal would mean that none has
 * it. If another inbox may accept it later, it throws: the sender repeats the message, and the repeat is
 * recognized.
 */
function takenOf(results: readonly PromiseSettledResult<Taken>[]): Taken[] {
  const taken = results.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  const failures = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown)
  const passing = failures.find(
    (error) =>
      !isServiceError(error) ||
      error.status === 429 ||
      error.status >= 500 ||
      error.code === 'storage_limit_reached',
  )
  if (passing !== undefined) throw passing
  if (taken.length === 0) throw failures[0]
  return taken
}

export function isSpam(
  ports: InboundPorts,
  envelope: MailEnvelope,
  raw: Uint8Array,
): Promise<boolean> | false {
  if (!ports.spamCheck) return false
  const { mailFrom, recipients, remoteAddress = null, heloName = null } = envelope
  return ports.spamCheck.isSpam({ raw, mailFrom, recipients, remoteAddress, heloName })
}

/** Returns the account that has proven to own a domain; null if there is none. */
async function ownerOf(ports: InboundPorts, domain: string | undefined): Promise<string | null> {
  if (domain === undefined) return null
  const hostname = asciiDomain(domain)
  return (await findHosts(ports.store.db, [hostname])).get(hostname)?.tenant_id ?? null
}

/**
 * Finds the inboxes of this service that answers to a message would go to, and whether its sender is one. An
 * unproven Reply-To of a verified message gets no answers.
 */
export async function ownSenders(
  ports: InboundPorts,
  mail: ParsedMail,
  envelope: MailEnvelope,
  isProven: boolean,
  authentication: Authentication | null,
) {
  const { from, replyTo } = provenView(mail, fieldProof({ authentication }))
  const domainOf = (address: string) => splitAddress(address)?.domain
  const ours = new Set([ports.settings.domain, ...envelope.recipients.map(domainOf)])
  const sender = from?.address ?? envelope.mailFrom
  const named = replyTo.length > 0 ? replyTo.map(({ address }) => address) : [sender]
  const answered = [...new Set(named.map(baseAddress))]
  const here = [...new Set([sender, ...answered])].filter((address) => ours.has(domainOf(address)))
  // A message with more addresses cannot be answered, so they need no lookup.
  const isFew = here.length > 0 && here.length <= maxRecipients
  const found = isFew ? await findReachedInboxes(ports, here) : new Map<string, ReachedInbox>()
  const isHere = found.has(sender) || domainOf(sender) === ports.settings.domain
  return {
    // Only a proven sender may use an address of this service, or of a domain of the account.
    isForged: !isProven && isHere,
    forgedDomainOf: isProven || isHere ? null : await ownerOf(ports, domainOf(sender)),
    answered: answered.map((address) => found.get(address)),
  }
}

/** Judges a message separately for subsets of its recipients: it may be a replay for only one of them. */
async function judgeRecipients(ports: InboundPorts, envelope: MailEnvelope, mail: ParsedMail) {
  const { source, recipients, authentication = null, judgedDomain, signatures, spfAligned } = envelope
  const evidence = { judgedDomain, signatures, spfAligned, recipients, arrivedAtMs: ports.clock.now() }
  const verdictFor = await completeVerdict(
    ports,
    authentication,
    { ...evidence, source: source ? 'key' : 'smtp' },
    { mail, mailFrom: envelope.mailFrom },
  )
  const found = new Map<boolean | undefined, ReturnType<typeof ownSenders>>()
  return async (some: readonly string[]) => {
    const verdict = verdictFor(some)
    const judged = verdict.authentication ?? null
    const proof = senderProofOf(judged, ports.settings.checksSenders)
    const own = found.get(judged?.replayed) ?? ownSenders(ports, mail, envelope, proof.from, judged)
    found.set(judged?.replayed, own)
    return { verdict, proof, own: await own }
  }
}

/** Returns the addresses that inboxes have now. @throws ServiceError `address_retired`, `mailbox_unavailable` */
function requireInboxes<Address extends { retired_at: string | null }>(found: readonly Address[]): Address[] {
  const current = found.filter((row) => row.retired_at === null)
  if (current.length === 0 && found.length > 0)
    throw refuse('address_retired', 'The inbox with this address was deleted.')
  if (current.length === 0)
    throw refuse('mailbox_unavailable', 'No recipient of this mail has an inbox here.')
  return current
}

/** Makes the function that ingests every message, from SMTP and from inboxes of this service alike. */
export function createIngest(ports: InboundPorts): Ingest {
  const add = createBatches(ports)

  async function read(envelope: MailEnvelope, raw: Uint8Array) {
    const [parsed, original, addresses, spam] = await Promise.all([
      ports.parser.parse(raw, envelope.mailFrom),
      storeOriginal(ports, raw),
      findReachedInboxes(ports, envelope.recipients),
      isSpam(ports, envelope, raw),
    ])
    const current = requireInboxes([...addresses.values()])
    const inboxes = new Map(current.map((row) => [row.inbox_id, row.tenant_id]))
    const operators = new Set(current.filter((row) => row.forOperator).map((row) => row.inbox_id))
    const returnPaths = new Map(current.map((row) => [row.inbox_id, row.returnPath]))
    const { mailFrom, source, wholeBytes } = envelope
    const mail: ParsedMail = wholeBytes ? { ...parsed, flaws: [...parsed.flaws, 'too_large'] } : parsed
    const contentHash = await sha256InTurns(withoutTrace(raw))
    const judgedFor = await judgeRecipients(ports, envelope, mail)
    const common = {
      direction: 'inbound' as const,
      mailFrom,
      mail,
      size: wholeBytes ?? raw.byteLength,
      original,
      contentHash,
      delivery: source && deliveryOf(source, contentHash),
      traceparent: traceparent(),
    }
    const messageFor = async (inboxId: string, tenantId: string) => {
      const forOperator = operators.has(inboxId)
      const its = envelope.recipients.filter((one) => addresses.get(one)?.inbox_id === inboxId)
      const { verdict, proof, own } = await judgedFor(its)
      const isLocal = envelope.remoteAddress === undefined && proof.from
      // Inboxes of one account may write to each other, but outsiders must not make them answer each other.
      const comesBack = own.answered.every(
        (one) => one && (one.inbox_id === inboxId || (!isLocal && one.tenant_id === tenantId)),
      )
      const fromOwn = own.isForged || own.forgedDomainOf === tenantId || comesBack
      const returnPath = returnPaths.get(inboxId)
      // Abuse reports contain samples of spam.
      const facts = { inboxId, forOperator, fromOwn, spam: spam && !forOperator, returnPath }
      return { tenantId, message: { ...common, ...verdict, proof, ...facts } }
    }
    return Promise.all([...inboxes].map(([inboxId, tenantId]) => messageFor(inboxId, tenantId)))
  }

  async function ingest(...[envelope, raw]: Parameters<Ingest>) {
    const messages = await read(envelope, raw)
    const added = messages.map(({ tenantId, message }) => add(tenantId, message))
    const taken = takenOf(await Promise.allSettled(added))
    return { queueId: taken[0]!.id, taken }
  }

  return (...given) =>
    traced('accept mail', { kind: 'consumer' }, async (tell) => {
      const accepted = await ingest(...given)
      tell({ 'restante.message_id': accepted.queueId })
      return accepted
    })
}
