import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from './service'
import { temporaryFolder } from './temporary-folder'

/** Lay one mail and so many copies of it in a folder, none of which an index has taken in. */
export async function layCopies(text: string, copies: number): Promise<{ folder: string; tenantId: string }> {
  const folder = await temporaryFolder()
  const service = await startService({ data: folder })
  const { tenantId } = service.home
  await service.mail({ text })
  await service[Symbol.asyncDispose]()
  const copyMail = fileURLToPath(new URL('../../bench/copy-mail.mjs', import.meta.url))
  await promisify(execFile)(process.execPath, [copyMail, String(copies), folder])
  return { folder, tenantId }
}
