import { UsageError } from '../../protocol/errors/error'
import type { ReadFile } from './platform'

/** Always throws: this platform has no files. */
export const readFile: ReadFile = async (path) => {
  throw new UsageError(
    'no_files',
    `${path} cannot be read here: give the attachment as content, such as a Blob`,
  )
}

/** Does nothing: loading needs no file handles here. */
export const requireHandles = (): void => {}
