import type { FoundLink } from '../../protocol/records/message'

/** Selects the message to wait for: it must fit every field. */
export interface WaitFilter {
  /**
   * Sender: an address, or a domain with its subdomains; any one of several. It counts only if the sender is
   * *proven* (`message.verified`), since anybody can write any name into a message. See `unverified`.
   */
  from?: string | readonly string[] | undefined
  /** Id or address of the receiving inbox. Default: the one that the mailbox was opened for, or all. */
  inbox?: string | undefined
  /** Id of its thread. For the answer to a message use `nextReply`, which misses none. */
  threadId?: string | undefined
  /** Words of its subject: all of them, whole, in any case. */
  subject?: string | undefined
  /** `code`: has a one-time code. `link`: has a link to confirm, reset, sign in or join. */
  kind?: 'code' | 'link' | undefined
  /**
   * Also accepts messages whose sender (`from`) is not proven. Default false. At an inbox of a `.localhost`
   * domain, a message that was not judged counts as proven: nobody outside can write to it. So development
   * needs no DNS and no other code.
   */
  unverified?: boolean | undefined
  /**
   * Also accepts messages that the sender's domain signed (DKIM) without a DMARC policy, which small domains
   * often lack: `authentication.dkim_aligned`. Default false.
   */
  dkimAligned?: boolean | undefined
  /** True: only messages of programs (out-of-office replies). False: none of those. Default: both. */
  automatic?: boolean | undefined
  /** Also messages marked as spam. Default false. */
  spam?: boolean | undefined
}

/** Bounds of a wait. */
export interface WaitOptions {
  /** Time after which it rejects with `wait_timed_out`. Default: as long as the mailbox is open. */
  timeoutMs?: number | undefined
  /** Ends the wait at once: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * The message in whose body it waits. If a named consumer delivered it, the found one is acknowledged with
   * it and not delivered separately. Null for none. Default: the one message of a named consumer that this
   * mailbox is handling when the wait begins, if there is exactly one.
   */
  within?: { readonly id: string } | null | undefined
}

/**
 * A wait for a message: a promise that can safely be left without a handler.
 *
 * It rejects with RestanteError `wait_timed_out`; UsageError `wait_cancelled`, `mailbox_closed`; the reason
 * of an aborted signal; HandlerError `filter_failed` if its function throws; ServiceError if the service
 * refuses a read.
 */
export interface Wait<Message> extends Promise<Message>, Disposable {
  /**
   * Everything that another process needs to resume the wait with `mailbox.resumeWait(token)`. It is safe to
   * store and holds no secret. Null for a wait with a function, which cannot be stored.
   */
  readonly token: string | null
  /**
   * Resolves with the message, as the wait itself does.
   *
   * @example
   * ```ts
   * const invoice = await mailbox.waitFor({ subject: 'invoice' }).message()
   * ```
   */
  message(): Promise<Message>
  /**
   * Resolves with the likeliest one-time code in the message.
   *
   * @throws UsageError `no_code`
   * @example
   * ```ts
   * const code = await mailbox.expect({ from: 'shop.example', kind: 'code' }).code()
   * ```
   */
  code(): Promise<string>
  /**
   * Resolves with the first link that confirms, resets, signs in or invites, and does not look like a trap.
   * Check its `domain` and `from_sender` before you open it.
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
   * Cancels the wait.
   *
   * @example
   * ```ts
   * const waiting = mailbox.waitFor({ subject: 'invoice' })
   * waiting.cancel() // it rejects with wait_cancelled
   * ```
   */
  cancel(): void
}
