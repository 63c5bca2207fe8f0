import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { Event } from '../../protocol/records/event'
import { randomId } from '../base/bytes'

/** An inbox of the account. */
export interface MailboxInbox {
  readonly id: string
  readonly address: string
}

/** Options of a new inbox. */
export interface InboxCreateOptions {
  /** The part before the `@`. Default: the service allocates one. */
  localPart?: string | undefined
  /** A verified domain of the account. Default: the domain of the service. */
  domain?: string | undefined
  /** Name that recipients see beside the address. */
  name?: string | undefined
  /** Makes the call safe to repeat: one inbox per id, while it exists. */
  clientId?: string | undefined
  signal?: AbortSignal | undefined
}

/** The inboxes of a mailbox, in the order of their creation. */
export interface Inboxes extends ReadonlyArray<MailboxInbox> {
  /**
   * Creates an inbox of the account. A mailbox that was opened for one inbox still reads only that one.
   *
   * @throws UsageError `invalid_options`. ServiceError `inbox_unavailable`, `inbox_limit_reached` and other
   *   refusals.
   * @example
   * ```ts
   * const { address } = await mailbox.inboxes.create({ localPart: 'invoices' })
   * ```
   */
  create(options?: InboxCreateOptions): Promise<MailboxInbox>
}

/** Resolves an inbox option, an id or address, to its id. */
export type ResolveInbox = (wanted: string | undefined) => string | undefined

const list = (inboxes: readonly MailboxInbox[]): string =>
  inboxes.map(({ address }) => address).join(', ') || 'none'

/** The inboxes that a mailbox reads. */
export class InboxBook {
  readonly #inboxes = new Map<string, MailboxInbox>()

  constructor(inboxes: readonly MailboxInbox[]) {
    for (const inbox of inboxes) this.add(inbox)
  }

  /** All inboxes, in the order of their creation. */
  get all(): readonly MailboxInbox[] {
    return [...this.#inboxes.values()]
  }

  add({ id, address }: MailboxInbox): void {
    this.#inboxes.set(id, { id, address })
  }

  /** Applies an event. */
  apply({ type, data }: Event): void {
    if (type === 'inbox.created') this.add(data as unknown as MailboxInbox)
    if (type === 'inbox.deleted') this.#inboxes.delete(String(data.id))
  }

  /**
   * Finds an inbox by id or address.
   *
   * @throws UsageError `inbox_not_found`, which names the existing ones.
   */
  find(wanted: string): MailboxInbox {
    const address = wanted.toLowerCase()
    const found = this.all.find((inbox) => inbox.id === wanted || inbox.address.toLowerCase() === address)
    if (found) return found
    throw new UsageError(
      'inbox_not_found',
      `there is no inbox ${wanted} here; the inboxes are: ${list(this.all)}`,
    )
  }

  /**
   * Returns the inbox that sends: the named one, or the only one.
   *
   * @throws UsageError `inbox_not_found`, `several_inboxes`
   */
  sender(wanted: string | undefined, remedy: string): MailboxInbox {
    return wanted === undefined ? this.only(remedy) : this.find(wanted)
  }

  /**
   * Returns the only inbox.
   *
   * @param remedy How the caller can choose one, for the error text.
   * @throws UsageError `several_inboxes` if there is not exactly one.
   */
  only(remedy: string): MailboxInbox {
    const [first, ...more] = this.all
    if (first && more.length === 0) return first
    throw new UsageError(
      'several_inboxes',
      `this mailbox has not exactly one inbox (${list(this.all)}): choose one with ${remedy}`,
    )
  }
}

const names: OptionNames<InboxCreateOptions> = {
  ...{ localPart: true, domain: true, name: true, clientId: true, signal: true },
}

/** Makes an {@link Inboxes}. @param isWhole Whether the mailbox also reads new inboxes. */
export const createInboxes = (client: Client, book: InboxBook, isWhole: boolean): Inboxes => {
  const create = async (options: InboxCreateOptions = {}): Promise<MailboxInbox> => {
    checkOptions('inboxes.create()', options, names)
    const { localPart: local_part, domain, name, signal, clientId = `inbox:${randomId()}` } = options
    const input = { local_part, domain, name, client_id: clientId }
    const { id, address } = await client.inboxes.create(input, { signal })
    if (isWhole) book.add({ id, address })
    return { id, address }
  }
  return Object.defineProperty([...book.all], 'create', { value: create }) as unknown as Inboxes
}
