import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../protocol/errors/error'

/** Makes a file name of an agent safe on every system: it cannot leave its folder. */
const safeName = (filename: string) =>
  filename
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|]/gu, '_')
    .slice(-100)
    .replace(/^[.\s-]+/, '_')

/** Returns the path for a saved file. The position comes first, so that no two paths are equal. */
export const savedAs = (folder: string, position: number, filename: string): string =>
  join(folder, `${position + 1}-${safeName(filename) || 'unnamed'}`)

/** Writes a new file that only its owner can read. @throws UsageError `file_exists`, `unwritable_folder` */
export async function saveFile(path: string, folder: string, content: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError('file_exists', `${path} already exists. Save to an empty folder.`)
    throw new UsageError(
      'unwritable_folder',
      `Cannot write to ${folder}: ${(error as Error).message}. Choose another folder with --save.`,
    )
  }
}
