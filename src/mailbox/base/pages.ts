/** A part of a list, and the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** For the next request; null at the end. */
  readonly nextCursor: string | null
}

/** A page that gives itself and the pages after it in `for await`. */
export type ListedPage<Of extends Page<unknown>> = Of & AsyncIterable<Of>

/**
 * The first page of a list. In `for await` it gives every page, each read when it is asked for; so does the page itself,
 * from this one on.
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

/** Makes a {@link Listing} of what reads one page. */
export function listing<Of extends Page<unknown>>(
  cursor: string | undefined,
  read: (cursor: string | undefined) => Promise<Of>,
): Listing<Of> {
  // Not enumerable: a page is printed and compared by what is in it.
  const iterable = <Target extends Of | Promise<Of>>(target: Target): Target & AsyncIterable<Of> =>
    Object.defineProperty(target, Symbol.asyncIterator, {
      value: () => pagesFrom(target, read),
    }) as Target & AsyncIterable<Of>
  return iterable(read(cursor).then(iterable)) as Listing<Of>
}
