import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../protocol/errors/error'

/** Returns the secret of a data folder; creates it on first use. Keys must stay the same after a restart. */
function secretOfFolder(folder: string): string {
  const file = join(folder, 'secret')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new UsageError('data_folder_unusable', `Cannot read ${file}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  const secret = randomBytes(32).toString('base64url')
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return secret
}

/** Returns the configured secret, else that of the data folder, else one for the life of the process. */
export function findSecret(settings: {
  secret?: string | undefined
  data?: string | undefined
  databaseUrl?: string | undefined
}): string {
  if (settings.secret) return settings.secret
  if (settings.data !== undefined) return secretOfFolder(settings.data)
  if (settings.databaseUrl === undefined) return randomBytes(32).toString('base64url')
  throw new UsageError(
    'secret_required',
    'Give a secret (--secret, RESTANTE_SECRET) or a data folder: keys are derived from it, and every node needs the same.',
  )
}
