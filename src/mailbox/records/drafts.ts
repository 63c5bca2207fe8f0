import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { Draft as DraftRecord, DraftStatus, DraftWithContent } from '../../protocol/records/draft'
import { deleted } from '../base/failures'
import { type Listing, listing, type Page } from '../base/pages'
import { wireTime } from '../base/wire-time'
import { checkRead, type ListOptions, type Reader, type ReadOptions } from '../cache/reader'
import type { LiveQuery } from '../live/live-query'
import type { Handles } from './handles'
import {
  contentFields,
  type OutgoingContent,
  randomClientId,
  recipientFields,
  type SendInput,
  type SentMessage,
  sentMessage,
} from './outgoing'
import type { Recipients } from './recipients'
import { type DraftWatchOptions, type WatchContext, watchDrafts } from './watch'

/** Content of a draft. All fields are optional until it is sent. */
export interface DraftContent extends Omit<OutgoingContent, 'whenHeld'> {
  to?: Recipients | undefined
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  subject?: string | undefined
  /** Time at which it sends itself, to within seconds: a Date, or a time with its zone. */
  scheduledAt?: Date | string | undefined
}

/** Context for the approver of a draft. */
export interface DraftContext {
  /** Ids of the messages that were read before it was written, at most 50. They are added to earlier ones. */
  readMessageIds?: readonly string[] | undefined
  /** Why a human must decide on the current version, in words: at most 1,000 characters. */
  approvalReason?: string | undefined
}

/** Draft of a reply. Without `to` it has the recipients of a reply, in the same thread. */
export interface DraftReplyOptions extends DraftContent, DraftContext {
  /** Distinguishes several replies and drafts of one turn. Default `reply`. */
  key?: string | undefined
  /** Without `to`: reply to everybody on the message. Default false. */
  replyAll?: boolean | undefined
  /** Quote the answered message below the given text. Default false. */
  quote?: boolean | undefined
  /** Also answer messages of programs, which are otherwise refused with `automatic_mail`. Default false. */
  allowAutoReply?: boolean | undefined
}

/** Options of a new draft. */
export interface DraftOptions extends DraftReplyOptions {
  /** Only with `forward`: distinguishes several forwards of one message. Default `forward`. */
  key?: string | undefined
  /** Id or address of the inbox that sends. Optional if the mailbox has exactly one. */
  inbox?: string | undefined
  /** Id or handle of the message that it replies to. */
  inReplyTo?: string | undefined
  /**
   * The message to forward, or its id or handle: it follows the text, with its attachments. Excludes
   * `inReplyTo`. The inbox that received it sends it. The draft counts as the one forward of the message, as
   * in `Message.forward`.
   */
  forward?: string | { readonly id: string; readonly inboxId: string } | undefined
}

/** Fields to change: an omitted field stays, null clears it, and a list replaces the whole list. */
export interface DraftChanges
  extends Omit<DraftReplyOptions, 'text' | 'html' | 'scheduledAt' | 'key' | 'clientId' | 'replay'> {
  text?: string | null | undefined
  html?: string | null | undefined
  scheduledAt?: Date | string | null | undefined
  /** Refuse with `draft_changed` if the draft has changed since this `record.seq`. */
  expectSeq?: number | undefined
}

/** Options of sending a draft. */
export interface DraftSendOptions extends ReadOptions, DraftContext {
  /**
   * Refuse with `draft_changed` if the draft has changed since this `record.seq`, so that only the approved
   * version is sent. A draft that was already sent still returns its result. If the key may not send, a draft
   * that is scheduled or waits for approval is returned unchanged.
   */
  expectSeq?: number | undefined
}

/** Options of deleting a draft. */
export interface DraftDeleteOptions extends ReadOptions {
  /** Refuse with `draft_changed` if the draft has changed since this `record.seq`. */
  expectSeq?: number | undefined
}

/** Result of sending a draft. */
export type DraftSent =
  | ({ readonly status: 'sent' } & SentMessage)
  /** The key may not send: an operator was asked to send or reject it. */
  | { readonly status: 'pending_approval'; readonly draft: Draft }
  /** The key may not send, and need not: the draft is approved or scheduled, and sends itself. */
  | { readonly status: 'scheduled'; readonly draft: Draft }

/** Selects drafts for a list. */
export interface DraftListOptions extends Omit<ListOptions, 'spam' | 'trash'> {
  status?: DraftStatus | undefined
}

/** The drafts of a mailbox. */
export interface Drafts {
  /**
   * Lists drafts, newest first.
   *
   * @throws ServiceError. UsageError `inbox_not_found`.
   * @example
   * ```ts
   * const { items } = await mailbox.drafts.list({ status: 'pending_approval' })
   * ```
   */
  list(options?: DraftListOptions): Listing<Page<Draft>>
  /**
   * Watches the newest drafts, without their content.
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`
   * @example
   * ```ts
   * for await (const drafts of mailbox.drafts.watch({ status: 'pending_approval' }))
   *   console.log(drafts.length, 'wait for approval')
   * ```
   */
  watch(options?: DraftWatchOptions): LiveQuery<Draft>
  /**
   * Reads a draft with its content, from the cache if possible.
   *
   * @throws ServiceError `not_found`
   * @example
   * ```ts
   * const { record } = await mailbox.drafts.get('drf_01jd8x2m4k7q')
   * console.log(record.text)
   * ```
   */
  get(id: string, options?: ReadOptions): Promise<Draft>
  /**
   * Creates a draft.
   *
   * @throws UsageError `several_inboxes`, `inbox_not_found`, and those of attachments. ServiceError.
   * @example
   * ```ts
   * const draft = await mailbox.drafts.create({ to: 'ana@example.com', subject: 'Your order', text: 'It is late.' })
   * await draft.send()
   * ```
   *
   * @example Forwards a message once somebody has approved it.
   * ```ts
   * const draft = await mailbox.drafts.create({ forward: message, to: 'sales@example.com', text: 'Yours?' })
   * const became = await draft.send()
   * ```
   */
  create(options: DraftOptions): Promise<Draft>
  /**
   * Changes a draft: see `Draft.update`.
   *
   * @example
   * ```ts
   * await mailbox.drafts.update('drf_01jd8x2m4k7q', { subject: 'Your new order', scheduledAt: null })
   * ```
   */
  update(id: string, changes: DraftChanges): Promise<Draft>
  /**
   * Sends a draft: see `Draft.send`.
   *
   * @example
   * ```ts
   * const became = await mailbox.drafts.send('drf_01jd8x2m4k7q')
   * if (became.status === 'pending_approval') console.log('an operator was asked')
   * ```
   */
  send(id: string, options?: DraftSendOptions): Promise<DraftSent>
  /**
   * Deletes a draft: see `Draft.delete`.
   *
   * @example
   * ```ts
   * await mailbox.drafts.delete('drf_01jd8x2m4k7q')
   * ```
   */
  delete(id: string, options?: DraftDeleteOptions): Promise<void>
}

/**
 * Snapshot of a message that is not sent yet. Handles do not change.
 *
 * @example
 * ```ts
 * const draft = await message.draft({ text: 'We can offer 10 %.' })
 * console.log(draft.id, draft.status)
 * ```
 */
export class Draft {
  readonly #drafts: Drafts
  /** Record as the service returned it; with content if the draft was requested by its id. */
  readonly record: DraftWithContent

  /** @internal */
  constructor(drafts: Drafts, record: DraftWithContent) {
    this.#drafts = drafts
    this.record = record
  }

  get id(): string {
    return this.record.id
  }

  get inboxId(): string {
    return this.record.inbox_id
  }

  get subject(): string {
    return this.record.subject
  }

  /** `draft`, `scheduled`, `pending_approval`, `sending`, `sent`, `failed` or `rejected`. */
  get status(): DraftRecord['status'] {
    return this.record.status
  }

  /** Time at which it sends itself; null if it has none. */
  get scheduledAt(): Date | null {
    return this.record.scheduled_at === null ? null : new Date(this.record.scheduled_at)
  }

  /** Thread of a reply, or of the sent message; else null. */
  get threadId(): string | null {
    return this.record.thread_id
  }

  /**
   * Sends it once: repeats, from any process, return the first result. Retries network failures for 5
   * minutes.
   *
   * @throws ServiceError `draft_incomplete`, `draft_changed`, `draft_rejected`, `approval_pending` and other
   *   refusals. NetworkError.
   * @example
   * ```ts
   * const became = await (await mailbox.drafts.get('drf_01jd8x2m4k7q')).send()
   * if (became.status === 'pending_approval') console.log('an operator was asked')
   * ```
   */
  send(options: DraftSendOptions = {}): Promise<DraftSent> {
    return this.#drafts.send(this.id, options)
  }

  /**
   * Changes it and returns the new draft. If it waited for approval, was rejected or failed, it becomes a
   * `draft` again.
   *
   * @throws ServiceError `draft_sent`, `draft_changed` and other refusals
   * @example
   * ```ts
   * const draft = await mailbox.drafts.get('drf_01jd8x2m4k7q')
   * await draft.update({ subject: 'Your new order', scheduledAt: null })
   * ```
   */
  update(changes: DraftChanges): Promise<Draft> {
    return this.#drafts.update(this.id, changes)
  }

  /**
   * Deletes it; does nothing if it is already deleted. The message that it became stays.
   *
   * @example
   * ```ts
   * await (await mailbox.drafts.get('drf_01jd8x2m4k7q')).delete()
   * ```
   */
  delete(options: DraftDeleteOptions = {}): Promise<void> {
    return this.#drafts.delete(this.id, options)
  }
}

/** The parts of its mailbox that {@link createDrafts} uses. */
interface DraftsOptions {
  client: Client
  reader: Reader
  /** For live lists. */
  watching: WatchContext
  /** Resolves the inbox that sends. */
  sender(wanted: string | undefined): string
  handles: Handles
  /** Creates the draft of a forward, in the slot of that forward. */
  draftForward(
    message: { readonly id: string },
    place: DraftPlace,
    options: DraftReplyOptions,
  ): Promise<Draft>
}

const contentNames = {
  ...{ to: true, cc: true, bcc: true, subject: true, text: true, html: true, markdown: true },
  ...{ attachments: true, replyTo: true, headers: true, scheduledAt: true, replyAll: true, quote: true },
  ...{ allowAutoReply: true, signal: true },
}
const contextNames = { readMessageIds: true, approvalReason: true }
const replyNames: OptionNames<DraftReplyOptions> = {
  ...contentNames,
  ...contextNames,
  key: true,
  clientId: true,
  replay: true,
}
const createNames: OptionNames<DraftOptions> = {
  ...contentNames,
  ...contextNames,
  inbox: true,
  inReplyTo: true,
  forward: true,
  key: true,
  clientId: true,
  replay: true,
}
const changeNames: OptionNames<DraftChanges> = { ...contentNames, ...contextNames, expectSeq: true }

const listNames: OptionNames<DraftListOptions> = {
  ...{ inbox: true, status: true, limit: true, cursor: true, signal: true },
}
const deleteNames: OptionNames<DraftDeleteOptions> = { expectSeq: true, signal: true }
const sendNames: OptionNames<DraftSendOptions> = { ...deleteNames, ...contextNames }

/** Checks the options of a draft of a reply. @throws UsageError `invalid_options` */
export const checkDraftReply = (options: DraftReplyOptions): void =>
  checkOptions('draft()', options, replyNames)

const contextOf = ({ readMessageIds, approvalReason }: DraftContext) => ({
  read_message_ids: readMessageIds && [...readMessageIds],
  approval_reason: approvalReason,
})

const fieldsOf = async (client: Client, changes: DraftChanges, inline?: boolean) => ({
  ...(await contentFields(client, { ...changes, text: undefined, html: undefined }, inline)),
  ...(await recipientFields(changes)),
  text: changes.text,
  html: changes.html,
  subject: changes.subject,
  reply_all: changes.replyAll,
  quote: changes.quote,
  allow_auto_reply: changes.allowAutoReply,
  scheduled_at: changes.scheduledAt && wireTime('scheduledAt', changes.scheduledAt),
  ...contextOf(changes),
})

/** Inbox of a draft, and the message that it answers or forwards. */
export interface DraftPlace {
  drafts: Drafts
  inboxId: string
  /** Id of the message that it answers. */
  replyToId?: string | undefined
  /** Id of the message that it forwards. */
  forwardId?: string | undefined
}

/** Creates a draft. */
export const writeDraft = async (
  client: Client,
  { drafts, inboxId, replyToId, forwardId }: DraftPlace,
  options: DraftReplyOptions,
  identity: Pick<SendInput, 'client_id' | 'replay' | 'release_on_discard' | 'consumer' | 'messages_read'>,
  inline?: boolean,
): Promise<Draft> => {
  const { text, html, scheduled_at, ...fields } = await fieldsOf(client, options, inline)
  const input = {
    ...fields,
    inbox_id: inboxId,
    text: text ?? undefined,
    html: html ?? undefined,
    scheduled_at: scheduled_at ?? undefined,
    reply_to_message_id: replyToId,
    forward_message_id: forwardId,
    ...identity,
  }
  return new Draft(drafts, await client.drafts.create(input, { signal: options.signal }))
}

/** Returns the message to forward, with its inbox. */
async function forwardedBy(
  { reader, handles }: DraftsOptions,
  { forward, signal }: DraftOptions,
): Promise<Exclude<DraftOptions['forward'], string>> {
  if (typeof forward !== 'string') return forward
  const messageId = await handles.messageId(forward, { signal })
  const { id, inbox_id: inboxId } = await reader.message(messageId, { signal })
  return { id, inboxId }
}

async function createDraft(parts: DraftsOptions, drafts: Drafts, options: DraftOptions): Promise<Draft> {
  const { client, handles, sender, draftForward } = parts
  checkOptions('drafts.create()', options, createNames)
  const { inReplyTo, inbox } = options
  const replyToId = inReplyTo && (await handles.messageId(inReplyTo, options))
  const forwarded = await forwardedBy(parts, options)
  const inboxId = forwarded && inbox === undefined ? forwarded.inboxId : sender(inbox)
  const place = { drafts, inboxId, replyToId }
  if (forwarded) return draftForward(forwarded, place, options)
  if (options.key !== undefined)
    throw new UsageError('invalid_options', 'drafts.create({ key }) needs forward, too')
  const { clientId = randomClientId(), replay } = options
  return writeDraft(client, place, options, { client_id: clientId, replay })
}

/** Makes {@link Drafts}. */
export const createDrafts = (parts: DraftsOptions): Drafts => {
  const { client, reader, watching } = parts
  const handle = (record: DraftWithContent) => new Draft(drafts, record)
  const drafts: Drafts = {
    list: (options = {}) =>
      listing(options.cursor, async (cursor) => {
        checkOptions('drafts.list()', options, listNames)
        const { inbox, status, limit, signal } = options
        const page = await client.drafts.list(
          { inbox_id: watching.resolve(inbox), status, limit, cursor },
          { signal },
        )
        return { items: page.drafts.map(handle), nextCursor: page.next_cursor }
      }),
    watch: (options) => watchDrafts(watching, options, handle),
    get: async (id, options = {}) => {
      checkRead('drafts.get()', options)
      return handle(await reader.draft(id, options))
    },
    create: (options) => createDraft(parts, drafts, options),
    update: async (id, changes) => {
      checkOptions('draft.update()', changes, changeNames)
      const input = { id, ...(await fieldsOf(client, changes)), expect_seq: changes.expectSeq }
      const changed = await client.drafts.update(input, { signal: changes.signal })
      reader.forgetDraft(id)
      return handle(changed)
    },
    send: async (id, options = {}) => {
      checkOptions('draft.send()', options, sendNames)
      const { signal, expectSeq: expect_seq } = options
      // A draft is sent once in any case: the id makes retries safe.
      const identity = { client_id: `send-draft:${id}`, replay: 'first_wins' } as const
      const input = { id, expect_seq, ...contextOf(options), ...identity }
      const answer = await client.drafts.send(input, { signal }).finally(() => reader.forgetDraft(id))
      if ('message_id' in answer) return { status: 'sent', ...sentMessage(answer) }
      return {
        status: answer.status === 'scheduled' ? 'scheduled' : 'pending_approval',
        draft: handle(answer),
      }
    },
    delete: async (id, options = {}) => {
      checkOptions('draft.delete()', options, deleteNames)
      const { signal, expectSeq: expect_seq } = options
      await deleted(client.drafts.delete({ id, expect_seq }, { signal }))
      reader.forgetDraft(id)
    },
  }
  return drafts
}
