import type { Draft, DraftWithContent } from '../../protocol/records/draft'
import { accountHeader } from '../../protocol/socket'
import { call, onSignedOut, Refused, randomKey } from '../core/ask'
import { interfaceUrl } from '../core/location'

/** File of a draft, which the service has. */
export interface KeptFile {
  upload_id: string
  filename: string
  size: number
}

/** Content of the form. */
export interface Written {
  to?: string[]
  subject?: string
  text: string
  reply_all?: boolean
  files: readonly KeptFile[]
}

/** Fields of a new draft that stay as they are. */
export interface Purpose {
  inbox_id: string
  reply_to_message_id?: string
  forward_message_id?: string
}

const prefix = 'restante.draft.'
/** Saves that run, by the name of their draft: a box that opens again waits for that of the closed one. */
const running = new Map<string, Promise<unknown>>()
/** Keepers of what is not saved yet, by the name of their draft: a box that opens again goes on with it. */
const unsaved = new Map<string, DraftKeeper>()
onSignedOut(() => unsaved.clear())
/** Time in which a message that was sent can be taken back. */
export const undoMs = 10_000

/** Uploads a file to attach. @throws Refused */
export async function upload(account: string, file: File): Promise<KeptFile> {
  const response = await fetch(`${interfaceUrl}/uploads?${new URLSearchParams({ filename: file.name })}`, {
    method: 'POST',
    headers: { [accountHeader]: account, 'content-type': file.type || 'application/octet-stream' },
    body: file,
  })
  const said = await response.json().catch(() => ({}))
  if (!response.ok)
    throw new Refused(said.error ?? '', said.message ?? `The file ${file.name} could not be attached.`)
  return { upload_id: said.id, filename: file.name, size: file.size }
}

/** Returns true if the draft was changed, sent or discarded elsewhere, such as in another tab. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof Refused && ['draft_changed', 'draft_sent', 'not_found'].includes(error.code)

/** Returns true if the service may have done what was asked: its answer did not arrive. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Refused && /^(?:network|http_5\d\d|request_in_progress)$/.test(error.code)

const idsOf = (files: readonly KeptFile[]): string[] => files.map(({ upload_id }) => upload_id)

const withoutFiles = ({ files: _files, ...fields }: Written) => fields

/** Returns true if a draft has the text, the subject and the recipients that were written. */
const hasContent = (draft: DraftWithContent, { text, subject, to }: Written): boolean =>
  (draft.text ?? '') === text &&
  (subject === undefined || draft.subject === subject) &&
  (to === undefined || String(draft.to) === String(to))

/**
 * Keeps what an operator writes as a draft of the service. This browser remembers only the id of the draft
 * and the ids of its files, by the message that it answers. A save overwrites nothing that somebody else
 * wrote, such as the same operator in another tab: it is refused, see {@link isChangedElsewhere}.
 */
export class DraftKeeper {
  readonly #account: string
  readonly #purpose: Purpose
  readonly #name: string
  #draft: Draft | null = null
  #files: readonly KeptFile[] = []
  /** Content of a save, or of a send, whose answer did not arrive. */
  #tried: Written | null = null
  /** Content that no save has stored yet; null for none. */
  #unsaved: Written | null = null
  /** Draft whose send got no answer, and its content. */
  #sending: { draft: Draft; content: string; isNow: boolean } | null = null
  /** Content and key of the creation that was tried last. */
  #creation: { body: string; key: string } | null = null
  #saves: Promise<unknown> = Promise.resolve()

  /** Returns the keeper of what a closed box could not save; else a new one. */
  static for(account: string, purpose: Purpose): DraftKeeper {
    const keeper = new DraftKeeper(account, purpose)
    return unsaved.get(keeper.#name) ?? keeper
  }

  private constructor(account: string, purpose: Purpose) {
    this.#account = account
    this.#purpose = purpose
    const { reply_to_message_id: reply, forward_message_id: forward } = purpose
    this.#name = `${prefix}${account}.${reply ?? (forward ? `forward-${forward}` : 'new')}`
  }

  /** True if this browser remembers a draft, saves one now, or could not save one. */
  get isKept(): boolean {
    return this.#isStored || running.has(this.#name) || this.#unsaved !== null
  }

  get #isStored(): boolean {
    return localStorage.getItem(this.#name) !== null
  }

  /** Inbox that sends the message: a draft keeps the one that it began in. */
  get inboxId(): string {
    return this.#draft?.inbox_id ?? this.#purpose.inbox_id
  }

  /** Returns what a closed box could not save, once its last save has ended; null if it was saved. */
  async readUnsaved(): Promise<Written | null> {
    await running.get(this.#name)
    return this.#unsaved
  }

  /** Reads the draft that this browser remembers; null if there is none, or if it was sent. */
  async restore(): Promise<Written | null> {
    await running.get(this.#name)
    this.#keepUnsaved(null)
    const kept = JSON.parse(localStorage.getItem(this.#name) ?? 'null')
    const draft = kept && (await this.#unscheduled(await this.#read(kept.id)))
    if (draft?.status !== 'draft') {
      this.forget()
      return null
    }
    this.#draft = draft
    this.#files = kept.files
    return {
      to: draft.to ?? [],
      subject: draft.subject,
      text: draft.text ?? '',
      reply_all: kept.reply_all,
      files: kept.files,
    }
  }

  /** Returns true if this content may have been sent already. */
  mayBeSent(written: Written): boolean {
    return this.#sending?.content === JSON.stringify(written)
  }

  /**
   * Saves the content. Saves run in order. If a send of it got no answer, but succeeded, returns the sent draft.
   *
   * @throws Refused
   */
  save(written: Written): Promise<Draft> {
    this.#keepUnsaved(written)
    const saved = this.#saves.then(() => this.#save(written))
    const done = saved.then(
      () => {},
      () => {},
    )
    this.#saves = done
    running.set(this.#name, done)
    void done.then(() => running.get(this.#name) === done && running.delete(this.#name))
    return saved
  }

  #keepUnsaved(written: Written | null): void {
    this.#unsaved = written
    if (written) unsaved.set(this.#name, this)
    else if (unsaved.get(this.#name) === this) unsaved.delete(this.#name)
  }

  /** Reads a draft with its content; null if it was deleted. */
  async #read(id: string): Promise<DraftWithContent | null> {
    try {
      return await call<DraftWithContent>(`/drafts/${id}?include=content`, { account: this.#account })
    } catch (error) {
      if (error instanceof Refused && error.code === 'not_found') return null
      throw error
    }
  }

  /** Takes the time away from a draft that this form scheduled, if the answer did not arrive. */
  async #unscheduled(draft: DraftWithContent | null): Promise<DraftWithContent | null> {
    if (draft?.status !== 'scheduled') return draft
    return { ...draft, ...(await this.#change(draft, { scheduled_at: null })) }
  }

  async #save(written: Written): Promise<Draft> {
    if (this.#draft && this.#tried) {
      const now = await this.#unscheduled(await this.#read(this.#draft.id))
      if (now && hasContent(now, this.#tried)) {
        this.#draft = now
        if (now.status === 'sent' && this.mayBeSent(written)) {
          this.forget()
          return now
        }
      }
    }
    this.#tried = written
    const saved = await this.#write(written)
    this.#tried = null
    this.#sending = null
    if (this.#unsaved === written) this.#keepUnsaved(null)
    return saved
  }

  async #write(written: Written): Promise<Draft> {
    const { files } = written
    const attachments = idsOf(files).map((upload_id) => ({ upload_id }))
    const isSame = idsOf(files).join() === idsOf(this.#files).join()
    const body = { ...withoutFiles(written), allow_auto_reply: true, ...(!isSame && { attachments }) }
    if (!this.#draft && this.#isStored)
      throw new Refused('draft_changed', 'Another tab has begun a draft for the same message.')
    this.#draft = this.#draft
      ? await this.#change(this.#draft, body)
      : await this.#create({ ...this.#purpose, ...body })
    this.#files = files
    const { reply_all } = written
    localStorage.setItem(this.#name, JSON.stringify({ id: this.#draft.id, files, reply_all }))
    return this.#draft
  }

  /**
   * Saves the content and lets the service send it after {@link undoMs}, also if the page closes before.
   * The time is counted from the clock of the service.
   *
   * @returns a function that takes the message back; null if an earlier try has sent it
   */
  async sendLater(written: Written): Promise<(() => Promise<void>) | null> {
    const saved = await this.save(written)
    const { id, status, updated_at } = saved
    if (status === 'sent') return null
    const scheduled_at = new Date(Date.parse(updated_at) + undoMs).toISOString()
    await this.#send(saved, written, false, () => this.#change(saved, { scheduled_at }))
    const kept = localStorage.getItem(this.#name)!
    this.forget()
    return async () => {
      await this.#call(`/drafts/${id}`, 'PATCH', { scheduled_at: null })
      localStorage.setItem(this.#name, kept)
    }
  }

  /** Saves the content and sends it at once. A repeat with the same key and content sends nothing more. */
  async sendNow(written: Written, key: string): Promise<void> {
    const before = this.#sending
    const isRepeat = before?.isNow && this.mayBeSent(written)
    const draft = isRepeat ? before.draft : await this.save(written)
    if (draft.status === 'sent') return
    const body = { expect_seq: draft.seq }
    await this.#send(draft, written, true, () =>
      call(`/drafts/${draft.id}/send`, { method: 'POST', body, account: this.#account, key }),
    )
    this.forget()
  }

  /** Runs a request that sends the draft, and remembers it until its answer. */
  async #send(draft: Draft, written: Written, isNow: boolean, request: () => Promise<unknown>) {
    this.#tried = written
    this.#sending = { draft, content: JSON.stringify(written), isNow }
    try {
      await request()
    } catch (error) {
      if (!isUnanswered(error)) {
        this.#tried = null
        this.#sending = null
      }
      throw error
    }
    this.#tried = null
  }

  /** Deletes the draft. */
  async discard(): Promise<void> {
    await this.#saves
    if (this.#draft) {
      const { id, seq } = this.#draft
      await call(`/drafts/${id}?expect_seq=${seq}`, { method: 'DELETE', account: this.#account })
    }
    this.forget()
  }

  forget(): void {
    localStorage.removeItem(this.#name)
    this.#draft = null
    this.#tried = null
    this.#sending = null
    this.#keepUnsaved(null)
  }

  /** Changes a draft, unless somebody else changed it. */
  #change({ id, seq }: Draft, body: object): Promise<Draft> {
    return this.#call(`/drafts/${id}`, 'PATCH', { ...body, expect_seq: seq })
  }

  /** Creates the draft; a repeat after a lost answer gives the same one. */
  #create(body: object): Promise<Draft> {
    const now = JSON.stringify(body)
    if (this.#creation?.body !== now) this.#creation = { body: now, key: randomKey() }
    return call<Draft>('/drafts', { method: 'POST', body, account: this.#account, key: this.#creation.key })
  }

  #call(path: string, method: string, body: object): Promise<Draft> {
    return call<Draft>(path, { method, body, account: this.#account })
  }
}
