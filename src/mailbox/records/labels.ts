import type { Client } from '../../client'
import { isServiceError } from '../../protocol/errors'
import { foldLabelName, type Label, type MessageSummary, systemLabelOf } from '../../protocol/records'
import { checkRead, type Reader, type ReadOptions } from '../cache'

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
export const createLabels = (reader: Reader): Labels => ({
  list: async (options = {}) => {
    checkRead('labels.list()', options)
    return reader.labels(options)
  },
})

/** The id of the label of this name. Not remembered: labels are renamed, and their names given to others. */
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
    // Somebody else was quicker, or the first attempt was carried out and its answer got lost.
    const made = isServiceError(error, 'label_exists') && (await findLabel(client, name, options))
    if (made) return made
    throw error
  }
}

/** Puts the label of this name on a message, and makes it where there is none. */
export const assignLabel = async (
  client: Client,
  messageId: string,
  name: string,
  options: ReadOptions = {},
): Promise<MessageSummary> => {
  const id = (await findLabel(client, name, options)) ?? (await makeLabel(client, name, options))
  return client.labels.assign({ id, message_id: messageId }, options)
}

/** Takes the label of this name off a message; null where there is no such label. */
export const unassignLabel = async (
  client: Client,
  messageId: string,
  name: string,
  options: ReadOptions = {},
): Promise<MessageSummary | null> => {
  const id = await findLabel(client, name, options)
  return id === null ? null : client.labels.unassign({ id, message_id: messageId }, options)
}
