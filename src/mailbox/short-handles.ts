import { UsageError } from '../protocol'
import { boundedMap } from './bounded-map'

const shape = /^[mt]\d{1,9}$/

/**
 * Names for messages (`m3`) and threads (`t1`) that a model copies without a mistake. They are given in the order in
 * which they are asked for, and are good for as long as the mailbox is open; the newest 100,000 are known.
 */
export class ShortHandles {
  readonly #ids = boundedMap<string>(100_000)
  readonly #handles = boundedMap<string>(100_000)
  readonly #last = { m: 0, t: 0 }

  /** The handle of a message (`m`) or a thread (`t`): the same each time. */
  of(kind: 'm' | 't', id: string): string {
    const known = this.#handles.get(id)
    if (known !== undefined) {
      this.#ids.get(known)
      return known
    }
    this.#last[kind] += 1
    const handle = `${kind}${this.#last[kind]}`
    this.#handles.set(id, handle)
    this.#ids.set(handle, id)
    return handle
  }

  /**
   * The id that is meant; what is no handle is an id.
   *
   * @throws UsageError `unknown_handle`
   */
  resolve(idOrHandle: string): string {
    if (!shape.test(idOrHandle)) return idOrHandle
    const id = this.#ids.get(idOrHandle)
    if (id !== undefined) {
      this.#handles.get(id)
      return id
    }
    throw new UsageError(
      'unknown_handle',
      `${idOrHandle} names nothing here: short handles are good only in the mailbox whose prompt gave them, while it is open; use the id, or list anew`,
    )
  }
}
