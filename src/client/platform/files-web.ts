import { UsageError } from '../../protocol/errors'
import type { ReadFile } from './platform'

/** Refuses: there are no files here. */
export const readFile: ReadFile = async (path) => {
  throw new UsageError(
    'no_files',
    `${path} cannot be read here: give the attachment as content, such as a Blob`,
  )
}

/** Does nothing: what is loaded here takes no file handles. */
export const requireHandles = (): void => {}
