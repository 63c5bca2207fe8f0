import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

const file = 'restante.sqlite'
const ofJobs = `select messages.rfc822_message_id as messageId from jobs
  join messages on messages.tenant_id = jobs.tenant_id and messages.id = json_extract(jobs.data, '$.messageId')
  where jobs.queue = 'delivery' and jobs.lease_token is not null`

/**
 * The Message-IDs of the mails that a killed service had taken to deliver, and had not written down how it went. Reads
 * a copy, since the next service is to find what the last one left.
 */
export async function readInFlight(data) {
  const folder = await mkdtemp(join(tmpdir(), 'restante-soak-killed-'))
  try {
    await copyFile(join(data, file), join(folder, file))
    await copyFile(join(data, `${file}-wal`), join(folder, `${file}-wal`)).catch(() => {})
    const database = new Database(join(folder, file))
    const rows = database.prepare(ofJobs).all()
    database.close()
    return rows.map(({ messageId }) => messageId)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
