/**
 * The rule of flow: content goes to those who were part of its conversation, and to those whom the owner named.
 *
 * The *audience* of a message are those who have what is in it. The *account* of a run is what its model was shown. A
 * recipient is free who is in the audience of every message in the account. No word of a message enters into this, only its
 * head, and of that only what its sender may say of his own mail.
 */
import {
  addressKey,
  isSenderProven,
  type MessageRecord,
  provenView,
  UsageError,
  untrustedField,
} from 'restante'

/** A message as far as its flow goes. */
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

/** Mail that anybody may be told of. */
export interface PublicMail {
  /** Names of labels: what has one of them may be passed on. The tools do not put them on unasked. */
  labels?: readonly string[] | undefined
  /** Addresses and domains: what comes from them, proven, may be passed on. */
  from?: readonly string[] | undefined
}

/** The settings of an owner about the flow of a mailbox. */
export interface FlowOwner {
  readonly inboxes: readonly { readonly id: string; readonly address: string }[]
  /** Addresses and domains that may be told anything. */
  readonly recipients?: readonly string[] | undefined
  readonly public?: PublicMail | undefined
}

/** Those who have what is in a message: addresses as {@link addressKey} gives them. */
export type Audience = ReadonlySet<string>

/** A message in the account of a run. */
export interface Shown {
  readonly message: FlowMessage
  readonly audience: Audience
}

/** The account of a run; `everything` where nobody knows what its model was shown. */
export type Account = readonly Shown[] | 'everything'

/** A recipient that is not free, and why. */
export interface Held {
  readonly recipient: string
  /** For the owner or a human who decides: it quotes the subject of a message. */
  readonly reason: string
  /** For the model: it quotes no message that it was not shown, and names the recipient only if it `knows` it. */
  readonly note: (knows: boolean) => string
}

/** Of longer conversations only the newest mails widen an audience: a stranger can write without end. */
const maxMessages = 500
/** Of a longer list only the first are added to earlier messages. */
const maxAdded = 100
const maxInAudience = 500

/** Labels are compared as their owner reads them. */
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

/** @throws UsageError `invalid_options` for what is no list of texts */
export function checkList(option: string, list: readonly string[] = []): void {
  if (!(Array.isArray(list) && list.every((one) => typeof one === 'string')))
    throw new UsageError('invalid_options', `${option} takes a list of texts, such as ['example']`)
}

/** @throws UsageError `invalid_options` for what is neither an address nor a domain */
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

/** Tells whether an address is that of an own inbox, with a tag or without. */
export function isOwn(address: string, owner: FlowOwner): boolean {
  const key = addressKey(address)
  return key !== null && isOwnKey(key, ownKeys(owner))
}

const isProven = ({ authentication, inbox_id }: FlowMessage, { inboxes }: FlowOwner): boolean =>
  isSenderProven({ authentication }, inboxes.find(({ id }) => id === inbox_id)?.address)

/** Those of the addresses that are somebody else's. */
const others = (addresses: readonly string[], own: ReadonlySet<string | null>): string[] =>
  addresses.flatMap((address) => {
    const key = addressKey(address)
    return key === null || isOwnKey(key, own) ? [] : [key]
  })

/**
 * Those who have a message by itself: who wrote it, and who got it. Reply-To is believed of a proven sender only. The message
 * is its proven view: an unsigned Cc of a verified message may have been added by anyone.
 */
const ownAudience = (message: FlowMessage, isBelieved: boolean, own: ReadonlySet<string | null>) => {
  const { from_addr, to_addrs, cc_addrs, bcc_addrs, reply_to, list } = message
  const named = [...reply_to, ...(list?.author_addr ? [list.author_addr] : [])]
  const answers = message.direction === 'inbound' && isBelieved ? named : []
  const all = [from_addr, ...answers, ...to_addrs, ...cc_addrs, ...bcc_addrs]
  return new Set(others(all.slice(0, maxInAudience), own))
}

/** A conversation as those who take part in it make it: mail that answers mail which its author has. */
type Conversation = string[]

/**
 * The audience of each message of a thread, oldest first. A later message adds its To and Cc to the earlier ones of its
 * conversation that its author has, where it is proven; what goes out adds nobody. Of a verified message only proven fields
 * count: an unsigned To, Cc, In-Reply-To or References widens no audience.
 *
 * A thread of the service is wider than a conversation, since a sender who knows two Message-IDs joins two threads by
 * referring to both: a message is in the conversation of the one message that it answers, and only if its author has that one.
 * Messages that are missing add nobody.
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

/** Tells whether a label makes public what has it. */
export const isPublicLabel = (name: string, { public: open }: FlowOwner): boolean =>
  open?.labels?.some((one) => labelKey(one) === labelKey(name)) ?? false

/** Tells whether a label takes mail out of lists and loops: a message must not make an agent hide another. */
export const isHidingLabel = (name: string): boolean => ['spam', 'trash'].includes(labelKey(name))

/** Tells whether the owner lets anybody be told of a message. */
export const isPublic = (message: FlowMessage, owner: FlowOwner): boolean =>
  message.labels.some((label) => isPublicLabel(label, owner)) ||
  (message.direction === 'inbound' &&
    isNamed(message.from_addr, owner.public?.from) &&
    isProven(message, owner))

/**
 * Recipients of an answer to a message: what they all have may be shown to its writer. Where a form writes for
 * a customer, who stands in its Reply-To, that is the customer. An unproven mail may be from anybody, but its answer goes
 * to the real owner of the address that it names.
 */
export function answeredBy(message: FlowMessage, owner: FlowOwner): string[] {
  const { direction, from_addr, to_addrs, reply_to, list } = provenView(message)
  const others = (addresses: readonly string[]) => addresses.filter((address) => !isOwn(address, owner))
  if (direction === 'outbound') return others(to_addrs)
  if (!isProven(message, owner)) return [from_addr]
  const elsewhere = others([...new Set(reply_to)])
  return elsewhere.length > 0 ? elsewhere : others([list?.author_addr ?? from_addr])
}

/** Tells whether all of the addresses have a message, or anybody may. */
export const mayHave = (
  addresses: readonly string[],
  { message, audience }: Shown,
  owner: FlowOwner,
): boolean =>
  isPublic(message, owner) || addresses.every((address) => audience.has(addressKey(address) ?? ''))

/** Puts an address as a human or a model reads it. */
const told = (address: string): string => JSON.parse(untrustedField(address, 100)) as string

/** A subject that cannot end its quotes. */
const quoted = (subject: string): string => `“${told(subject).replace(/[“”„‟"]/g, "'")}”`

/** Why somebody is not free, with what stands for them and for the subject of a message. */
type Why = (who: string, subject: (message: FlowMessage) => string) => string

/** Stands for a recipient that the model did not name itself: it may be known from a hidden message only. */
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
 * Those of the recipients that are not free, and why. Free is whom the owner named, an own inbox, and who is in the
 * audience of every message in the account.
 *
 * @param attended whether a human sits there who says what to do: as long as the model was shown nothing but what is
 *   public, it may then write to anybody
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
    const reason = why(told(recipient), ({ subject }) => quoted(subject))
    const shownSubject = ({ id, subject }: FlowMessage) => (isDisplayed(id) ? quoted(subject) : 'a message')
    return [{ recipient, reason, note: (knows) => why(knows ? told(recipient) : unnamed, shownSubject) }]
  })
}
