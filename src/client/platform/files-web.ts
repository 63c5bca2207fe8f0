import { UsageError } from '../../protocol'
import type { ReadFile } from '../read-file'

/** There are none here. */
export const readFile: ReadFile = async (path) => {
  throw new UsageError(
    'no_files',
    `${path} cannot be read here, where there are no files: give the attachment as content, such as a Blob`,
  )
}
