import type { FoundLink } from '../../protocol/records'

/** Selects the message to wait for: all of this is true of it. */
export interface WaitFilter {
  /**
   * The sender: an address, or a domain with those below it; one of several. It counts only where the sender is
   * *proven* (`message.verified`), since anybody can write any name into a message. See `unverified`.
   */
  from?: string | readonly string[] | undefined
  /** Id or address of the inbox that it came to. Default: the one that the mailbox was opened for, or all. */
  inbox?: string | undefined
  /** Id of its thread. For the answer to a message use `nextReply`, which misses none. */
  threadId?: string | undefined
  /** Words that its subject has: all of them, whole, without regard to case. */
  subject?: string | undefined
  /** `code`: it brings a one-time code. `link`: it brings a link to confirm, reset, sign in or join. */
  kind?: 'code' | 'link' | undefined
  /**
   * Take also mail that only says it is `from` them. Default false. Mail that the service could not judge counts as
   * proven where the inbox is at a `.localhost` domain, which nobody can write to from outside: development needs
   * no DNS, and no code that differs from production's.
   */
  unverified?: boolean | undefined
  /**
   * Take also mail that the domain of its sender signed (DKIM) without a DMARC policy, which small domains often lack:
   * `authentication.dkim_aligned`. Default false.
   */
  dkimAligned?: boolean | undefined
  /** False: nothing that a program wrote, such as an out-of-office reply. Default: both. */
  automatic?: boolean | undefined
  /** Also what is marked as spam. Default false. */
  spam?: boolean | undefined
}

/** Bounds of a wait. */
export interface WaitOptions {
  /** Then it rejects with `wait_timed_out`. Default: as long as the mailbox is open. */
  timeoutMs?: number | undefined
  /** Ends it at once: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * The message in whose body it waits. If a named consumer delivered that, what comes is acknowledged with it and
   * not delivered by itself; null for none. Default: the one message of a named consumer that this mailbox is at, if
   * it is at just one when the wait begins.
   */
  within?: { readonly id: string } | null | undefined
}

/**
 * A message that is waited for: a promise of it, which may be left alone without harm.
 *
 * It rejects with RestanteError `wait_timed_out`; UsageError `wait_cancelled`, `mailbox_closed`; the reason of an
 * aborted signal; HandlerError `filter_failed` where its function throws; ServiceError where the service refuses to be
 * read.
 */
export interface Wait<Message> extends Promise<Message>, Disposable {
  /**
   * All that the wait needs to go on in another process, by `mailbox.resumeWait(token)`: safe to store, no secret.
   * Null for a wait with a function, which cannot be stored.
   */
  readonly token: string | null
  /**
   * The message: the same as the wait itself.
   *
   * @example
   * ```ts
   * const invoice = await mailbox.waitFor({ subject: 'invoice' }).message()
   * ```
   */
  message(): Promise<Message>
  /**
   * The likeliest one-time code in the message.
   *
   * @throws UsageError `no_code`
   * @example
   * ```ts
   * const code = await mailbox.expect({ from: 'shop.example', kind: 'code' }).code()
   * ```
   */
  code(): Promise<string>
  /**
   * The first link in the message that confirms, resets, signs in or invites, and does not look like a trap. Look at
   * its `domain` and `from_sender` before it is opened.
   *
   * @throws UsageError `no_link`
   * @example
   * ```ts
   * const { url, from_sender } = await mailbox.expect({ from: 'shop.example', kind: 'link' }).link()
   * if (from_sender) console.log(url)
   * ```
   */
  link(): Promise<FoundLink>
  /**
   * Gives it up.
   *
   * @example
   * ```ts
   * const waiting = mailbox.waitFor({ subject: 'invoice' })
   * waiting.cancel() // it rejects with wait_cancelled
   * ```
   */
  cancel(): void
}
