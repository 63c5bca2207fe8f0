import type { Client } from '../../client/client'
import { isServiceError } from '../../protocol/errors/error'
import type { Label } from '../../protocol/records/label'
import { foldLabelName, systemLabelOf } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import { checkRead, type Reader, type ReadOptions } from '../cache/reader'

/** The labels of the account. */
export interface Labels {
  /**
   * Lists all labels, oldest first. They are read once, then kept up to date from the log.
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
export const createLabels = (reader: Reader): Labels => ({
  list: async (options = {}) => {
    checkRead('labels.list()', options)
    return reader.labels(options)
  },
})

/** Returns the id of the label with this name. It is not cached: labels are renamed and names reused. */
const findLabel = async (client: Client, name: string, { signal }: ReadOptions): Promise<string | null> => {
  const system = systemLabelOf(name)
  if (system !== null) return system
  let cursor: string | undefined
  do {
    const page = await client.labels.list({ limit: 100, cursor }, { signal })
    const found = page.labels.find((label) => foldLabelName(label.name) === foldLabelName(name))
    if (found) return found.id
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return null
}

const makeLabel = async (client: Client, name: string, options: ReadOptions): Promise<string> => {
  try {
    return (await client.labels.create({ name }, options)).id
  } catch (error) {
    // Another client created it first, or an earlier attempt succeeded and its answer was lost.
    const made = isServiceError(error, 'label_exists') && (await findLabel(client, name, options))
    if (made) return made
    throw error
  }
}

/** Assigns the label with this name to a message; creates the label if there is none. */
export const assignLabel = async (
  client: Client,
  messageId: string,
  name: string,
  options: ReadOptions = {},
): Promise<MessageSummary> => {
  const id = (await findLabel(client, name, options)) ?? (await makeLabel(client, name, options))
  return client.labels.assign({ id, message_id: messageId }, options)
}

/** Removes the label with this name from a message; null if there is no such label. */
export const unassignLabel = async (
  client: Client,
  messageId: string,
  name: string,
  options: ReadOptions = {},
): Promise<MessageSummary | null> => {
  const id = await findLabel(client, name, options)
  return id === null ? null : client.labels.unassign({ id, message_id: messageId }, options)
}
