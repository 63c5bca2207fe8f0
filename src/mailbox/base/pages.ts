/** A page of a list, with the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next request; null at the end. */
  readonly nextCursor: string | null
}

/** A page that yields itself and the pages after it in `for await`. */
export type ListedPage<Of extends Page<unknown>> = Of & AsyncIterable<Of>

/**
 * The first page of a list. `for await` yields every page, and reads each when it is requested. The page
 * itself iterates too, starting with itself.
 *
 * @example
 * ```ts
 * for await (const { items } of mailbox.messages.list({ label: 'urgent' })) console.log(items.length)
 * ```
 */
export interface Listing<Of extends Page<unknown>> extends Promise<ListedPage<Of>>, AsyncIterable<Of> {}

async function* pagesFrom<Of extends Page<unknown>>(
  first: Of | Promise<Of>,
  read: (cursor: string | undefined) => Promise<Of>,
): AsyncGenerator<Of, void, undefined> {
  for (let page = await first; ; page = await read(page.nextCursor ?? undefined)) {
    yield page
    if (page.nextCursor === null) return
  }
}

/** Makes a {@link Listing} from a function that reads one page. */
export function listing<Of extends Page<unknown>>(
  cursor: string | undefined,
  read: (cursor: string | undefined) => Promise<Of>,
): Listing<Of> {
  // Not enumerable, so that printing and comparing a page sees only its fields.
  const iterable = <Target extends Of | Promise<Of>>(target: Target): Target & AsyncIterable<Of> =>
    Object.defineProperty(target, Symbol.asyncIterator, {
      value: () => pagesFrom(target, read),
    }) as Target & AsyncIterable<Of>
  return iterable(read(cursor).then(iterable)) as Listing<Of>
}
