/**
 * Flow rule: content goes to those who were part of its conversation, and to those whom the owner named.
 *
 * The *audience* of a message is everybody who has its content. The *account* of a run is what its model was
 * shown. A recipient is free if it is in the audience of every message in the account. The text of a message
 * has no influence, only its headers, and of them only those that its sender may decide about its own
 * message.
 */
import {
  addressKey,
  isSenderProven,
  type MessageRecord,
  provenView,
  UsageError,
  untrustedField,
} from 'restante'

/** Fields of a message that the flow rule uses. */
export type FlowMessage = Pick<
  MessageRecord,
  | 'id'
  | 'direction'
  | 'inbox_id'
  | 'from_addr'
  | 'to_addrs'
  | 'cc_addrs'
  | 'bcc_addrs'
  | 'reply_to'
  | 'subject'
  | 'labels'
  | 'authentication'
  | 'rfc822_message_id'
  | 'in_reply_to'
  | 'references'
> & { readonly list?: MessageRecord['list'] }

/** Messages that may be disclosed to anybody. */
export interface PublicMail {
  /** Names of labels: their messages may be passed on. The tools ask before they add these labels. */
  labels?: readonly string[] | undefined
  /** Addresses and domains: messages that are proven to be from them may be passed on. */
  from?: readonly string[] | undefined
}

/** Flow settings of the owner of a mailbox. */
export interface FlowOwner {
  readonly inboxes: readonly { readonly id: string; readonly address: string }[]
  /** Addresses and domains that may receive anything. */
  readonly recipients?: readonly string[] | undefined
  readonly public?: PublicMail | undefined
}

/** People who have the content of a message: addresses in the form of {@link addressKey}. */
export type Audience = ReadonlySet<string>

/** Message in the account of a run. */
export interface Shown {
  readonly message: FlowMessage
  readonly audience: Audience
}

/** Account of a run; `everything` if it is unknown what its model was shown. */
export type Account = readonly Shown[] | 'everything'

/** Recipient that is not free, and why. */
export interface Held {
  readonly recipient: string
  /** Reason for the owner or an approver: it quotes the subject of a message. */
  readonly reason: string
  /** Reason for the model: it quotes only shown messages, and names the recipient only if it `knows` it. */
  readonly note: (knows: boolean) => string
}

/** Number of newest messages of a conversation that widen audiences: a stranger can write without end. */
const maxMessages = 500
/** Number of recipients of a message that are added to earlier messages. */
const maxAdded = 100
const maxInAudience = 500

/** Normalizes a label as its owner reads it. */
const labelKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

const isNamed = (address: string, names: readonly string[] | undefined): boolean => {
  const key = addressKey(address)
  if (key === null || !names) return false
  const domain = key.slice(key.lastIndexOf('@'))
  return names.some((name) => {
    const wanted = name.trim().replace(/^@/, '')
    return wanted.includes('@') ? addressKey(wanted) === key : addressKey(`x@${wanted}`) === `x${domain}`
  })
}

/** @throws UsageError `invalid_options` if it is not a list of texts */
export function checkList(option: string, list: readonly string[] = []): void {
  if (!(Array.isArray(list) && list.every((one) => typeof one === 'string')))
    throw new UsageError('invalid_options', `${option} takes a list of texts, such as ['example']`)
}

/** @throws UsageError `invalid_options` if a name is neither an address nor a domain */
export function checkNames(option: string, names: readonly string[] = []): void {
  checkList(option, names)
  for (const name of names) {
    const wanted = name.trim().replace(/^@/, '')
    if (wanted.includes('*') || addressKey(wanted.includes('@') ? wanted : `x@${wanted}`) === null)
      throw new UsageError(
        'invalid_options',
        `${option} takes addresses and domains, not ${JSON.stringify(name)}`,
      )
  }
}

const ownKeys = ({ inboxes }: FlowOwner): ReadonlySet<string | null> =>
  new Set(inboxes.map(({ address }) => addressKey(address)))

const isOwnKey = (key: string, own: ReadonlySet<string | null>): boolean =>
  own.has(key) || (key.includes('+') && own.has(key.replace(/^([^+@]+)\+[^@]*@/, '$1@')))

/** Returns whether an address is that of an own inbox, with or without a tag. */
export function isOwn(address: string, owner: FlowOwner): boolean {
  const key = addressKey(address)
  return key !== null && isOwnKey(key, ownKeys(owner))
}

const isProven = ({ authentication, inbox_id }: FlowMessage, { inboxes }: FlowOwner): boolean =>
  isSenderProven({ authentication }, inboxes.find(({ id }) => id === inbox_id)?.address)

/** Returns the addresses that are not own inboxes. */
const others = (addresses: readonly string[], own: ReadonlySet<string | null>): string[] =>
  addresses.flatMap((address) => {
    const key = addressKey(address)
    return key === null || isOwnKey(key, own) ? [] : [key]
  })

/**
 * Returns the audience of a single message: its author and recipients. Reply-To counts for a proven sender
 * only. The message is its proven view: anyone may have added an unsigned Cc to a verified message.
 */
const ownAudience = (message: FlowMessage, isBelieved: boolean, own: ReadonlySet<string | null>) => {
  const { from_addr, to_addrs, cc_addrs, bcc_addrs, reply_to, list } = message
  const named = [...reply_to, ...(list?.author_addr ? [list.author_addr] : [])]
  const answers = message.direction === 'inbound' && isBelieved ? named : []
  const all = [from_addr, ...answers, ...to_addrs, ...cc_addrs, ...bcc_addrs]
  return new Set(others(all.slice(0, maxInAudience), own))
}

/** Ids of a conversation: messages that answer messages which their author has. */
type Conversation = string[]

/**
 * Computes the audience of each message of a thread, oldest first. A later proven message adds its To and Cc
 * to those earlier messages of its conversation that its author has. Outbound messages add nobody. Only
 * proven fields of a verified message count: an unsigned To, Cc, In-Reply-To or References widens no
 * audience.
 *
 * A thread of the service is wider than a conversation: a sender who knows two Message-IDs joins two threads
 * by referring to both. So a message joins the conversation of the one message that it answers, and only if
 * its author has that one. Missing messages add nobody.
 */
export function audiencesOf(thread: readonly FlowMessage[], owner: FlowOwner): Map<string, Audience> {
  const audiences = new Map<string, Set<string>>()
  const conversations = new Map<string, Conversation>()
  const byMessageId = new Map<string, string>()
  const own = ownKeys(owner)
  const first = thread.length - maxMessages
  for (const [at, record] of thread.entries()) {
    const message = provenView(record)
    const isBelieved = message.direction === 'outbound' || isProven(message, owner)
    audiences.set(message.id, ownAudience(message, isBelieved, own))
    if (at < first) continue
    const parent = byMessageId.get(message.in_reply_to ?? message.references.at(-1) ?? '')
    const author = addressKey(message.from_addr) ?? ''
    const isFromHere = message.direction === 'outbound' || isOwnKey(author, own)
    const isMember = (id: string) => isBelieved && (isFromHere || audiences.get(id)!.has(author))
    const conversation = (parent !== undefined && isMember(parent) && conversations.get(parent)) || []
    if (!isFromHere) {
      const added = others([...message.to_addrs, ...message.cc_addrs].slice(0, maxAdded), own)
      for (const earlier of conversation) if (isMember(earlier)) widen(audiences.get(earlier)!, added)
    }
    conversation.push(message.id)
    conversations.set(message.id, conversation)
    const { rfc822_message_id: name } = message
    if (name !== null && !byMessageId.has(name)) byMessageId.set(name, message.id)
  }
  return audiences
}

const widen = (audience: Set<string>, added: readonly string[]): void => {
  for (const key of added) if (audience.size < maxInAudience) audience.add(key)
}

/** Returns whether a label makes its messages public. */
export const isPublicLabel = (name: string, { public: open }: FlowOwner): boolean =>
  open?.labels?.some((one) => labelKey(one) === labelKey(name)) ?? false

/** Returns whether a label hides messages from lists and loops: no message may cause that for another. */
export const isHidingLabel = (name: string): boolean => ['spam', 'trash'].includes(labelKey(name))

/** Returns whether the owner lets a message be disclosed to anybody. */
export const isPublic = (message: FlowMessage, owner: FlowOwner): boolean =>
  message.labels.some((label) => isPublicLabel(label, owner)) ||
  (message.direction === 'inbound' &&
    isNamed(message.from_addr, owner.public?.from) &&
    isProven(message, owner))

/**
 * Returns the recipients of an answer to a message: its writer may be shown what they all have. If a form
 * writes for a customer named in Reply-To, that is the customer. Anybody may have sent an unproven message,
 * but its answer goes to the real owner of its address.
 */
export function answeredBy(message: FlowMessage, owner: FlowOwner): string[] {
  const { direction, from_addr, to_addrs, reply_to, list } = provenView(message)
  const others = (addresses: readonly string[]) => addresses.filter((address) => !isOwn(address, owner))
  if (direction === 'outbound') return others(to_addrs)
  if (!isProven(message, owner)) return [from_addr]
  const elsewhere = others([...new Set(reply_to)])
  return elsewhere.length > 0 ? elsewhere : others([list?.author_addr ?? from_addr])
}

/** Returns whether all addresses have a message, or it is public. */
export const mayHave = (
  addresses: readonly string[],
  { message, audience }: Shown,
  owner: FlowOwner,
): boolean =>
  isPublic(message, owner) || addresses.every((address) => audience.has(addressKey(address) ?? ''))

/** Formats an address for a human or a model. */
const printable = (address: string): string => JSON.parse(untrustedField(address, 100)) as string

/** Quotes a subject, which cannot end its quotes. */
const quoted = (subject: string): string => `“${printable(subject).replace(/[“”„‟"]/g, "'")}”`

/** Reason why a recipient is not free, given its name and a formatter of subjects. */
type Why = (who: string, subject: (message: FlowMessage) => string) => string

/** Placeholder for a recipient that the model may know only from a hidden message. */
const unnamed = 'a recipient'

const whyHeld = (recipient: string, account: Account, owner: FlowOwner): Why | null => {
  if (account === 'everything')
    return (who) => `nobody knows what this run has read, and ${who} may be no part of it`
  const key = addressKey(recipient) ?? ''
  const foreign = account.filter((one) => !one.audience.has(key) && !isPublic(one.message, owner))
  const [one, ...more] = foreign
  if (one) {
    const also = more.length > 0 ? ` and ${more.length} more` : ''
    return (who, subject) => `this run has read ${subject(one.message)}${also}, which ${who} was no part of`
  }
  return account.some(({ audience }) => audience.has(key))
    ? null
    : (who) => `nobody named ${who}, and this run has read no mail of theirs`
}

/**
 * Returns the recipients that are not free, and why. Free are recipients that the owner named, own inboxes,
 * and recipients in the audience of every message in the account.
 *
 * @param attended whether a human gives instructions: while the model was shown only public messages, it may
 * write to anybody
 * @param isDisplayed whether the model read the message with this id: a note for it may quote that subject
 */
export function heldBack(
  recipients: readonly string[],
  account: Account,
  owner: FlowOwner,
  attended = false,
  isDisplayed: (id: string) => boolean = () => false,
): Held[] {
  const isEmpty = account !== 'everything' && account.every(({ message }) => isPublic(message, owner))
  if (attended && isEmpty) return []
  return [...new Set(recipients)].flatMap((recipient) => {
    if (isOwn(recipient, owner) || isNamed(recipient, owner.recipients)) return []
    const why = whyHeld(recipient, account, owner)
    if (why === null) return []
    const reason = why(printable(recipient), ({ subject }) => quoted(subject))
    const shownSubject = ({ id, subject }: FlowMessage) => (isDisplayed(id) ? quoted(subject) : 'a message')
    return [{ recipient, reason, note: (knows) => why(knows ? printable(recipient) : unnamed, shownSubject) }]
  })
}
