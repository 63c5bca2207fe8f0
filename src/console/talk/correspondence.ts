import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Event } from '../../protocol/records/event'
import type { ListedMessage, Message } from '../../protocol/records/message'
import { call } from '../core/ask'

/** Live messages of an inbox, in and out. */
export interface Correspondence {
  /** Newest first; undefined until they are read. */
  readonly mails: Signal<readonly ListedMessage[] | undefined>
  readonly error: Signal<Error | null>
  again(): void
}

const maxShown = 50

/** List of messages, kept current from the event log. Reads the text of each new message once. */
class MailOfInbox {
  readonly #account: string
  readonly #inbox: string
  readonly #mails: Signal<readonly ListedMessage[] | undefined>

  constructor(account: string, inbox: string, mails: Correspondence['mails']) {
    this.#account = account
    this.#inbox = inbox
    this.#mails = mails
  }

  async read(signal: AbortSignal): Promise<void> {
    const search = new URLSearchParams({ inbox_id: this.#inbox, limit: String(maxShown), include: 'spam' })
    const page = await call<{ messages: ListedMessage[] }>(`/messages?${search}`, {
      account: this.#account,
      signal,
    })
    this.#put(page.messages)
  }

  async apply({ type, data }: Event): Promise<void> {
    const record = data as unknown as ListedMessage
    if (!type.startsWith('message.') || record.inbox_id !== this.#inbox) return
    const known = (this.#mails.value ?? []).find(({ id }) => id === record.id)
    if (type === 'message.deleted')
      this.#mails.value = (this.#mails.value ?? []).filter(({ id }) => id !== record.id)
    else if (known)
      this.#put([{ ...record, ...(known.body_text !== undefined && { body_text: known.body_text }) }])
    else this.#put([await call<Message>(`/messages/${record.id}`, { account: this.#account })])
  }

  /** Inserts or replaces messages; a record older than the shown one changes nothing. */
  #put(fresh: readonly ListedMessage[]): void {
    const all = new Map((this.#mails.value ?? []).map((mail) => [mail.id, mail]))
    for (const mail of fresh) if ((all.get(mail.id)?.seq ?? 0) <= mail.seq) all.set(mail.id, mail)
    this.#mails.value = [...all.values()].sort((a, b) => b.created_seq - a.created_seq).slice(0, maxShown)
  }
}

/** Reads the messages of an inbox and keeps them live, by the mailbox that agents use. */
export function useCorrespondence(account: string, inbox: string): Correspondence {
  const mails = useSignal<readonly ListedMessage[] | undefined>(undefined)
  const error = useSignal<Error | null>(null)
  const tries = useSignal(0)
  const count = tries.value
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const list = new MailOfInbox(account, inbox, mails)
    let stop = () => {}
    const begin = async () => {
      const { mailboxOf } = await import('../mail/mailbox')
      const mailbox = await mailboxOf(account)
      if (signal.aborted) return
      stop = mailbox.on('event', (event) => void list.apply(event).catch(fail))
      await list.read(signal)
    }
    const fail = (caught: unknown) => {
      if (!signal.aborted) error.value = caught as Error
    }
    mails.value = undefined
    error.value = null
    begin().catch(fail)
    return () => {
      controller.abort()
      stop()
    }
  }, [account, inbox, count])
  return { mails, error, again: () => tries.value++ }
}
