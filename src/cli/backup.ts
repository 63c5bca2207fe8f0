import { backUp, restore as restoreFolder } from '../service/host'
import { createOutput } from './output'

interface FolderOptions {
  data: string
  json?: boolean
}

/** `restante backup`: a copy of a data folder, also while its service runs. */
export async function backup({ data, to, json }: FolderOptions & { to: string }): Promise<void> {
  const { blobs } = await backUp(data, to)
  createOutput(json).tell(
    `Backed up ${data} to ${to}. It holds the secret that keys are made of: keep it safe.`,
    {
      event: 'backed_up',
      to,
      blobs,
    },
  )
}

/** `restante restore`: a data folder from a backup. */
export async function restore({
  from,
  data,
  sendPending,
  json,
}: FolderOptions & { from: string; sendPending?: boolean }): Promise<void> {
  const { madeAt, blobs, held } = await restoreFolder(from, data, { sendPending })
  const waiting =
    held === 0
      ? ''
      : `\n${held} mails waited to be sent then, and may have gone out since: they are held. restante admin send-held sends them.`
  createOutput(json).tell(`Restored ${data} as it was at ${madeAt}.${waiting}`, {
    event: 'restored',
    data,
    made_at: madeAt,
    blobs,
    held,
  })
}
