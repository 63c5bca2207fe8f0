import type { Label } from '../protocol'
import type { Reader, ReadOptions } from './reader'

/** The labels of the account. */
export interface Labels {
  /**
   * All labels, oldest first: read once, then kept as the log says.
   *
   * @throws ServiceError
   * @example
   * ```ts
   * const names = (await mailbox.labels.list()).map(({ name }) => name)
   * ```
   */
  list(options?: ReadOptions): Promise<readonly Label[]>
}

/** Makes {@link Labels}. */
export const createLabels = (reader: Reader): Labels => ({ list: (options) => reader.labels(options) })
