import type { Command } from 'commander'
import { restore as restoreFolder } from '../../service/backup/restore'
import { createOutput, jsonOption } from '../base/output'
import { createProgress } from '../base/progress'

/** Defines `restante restore`. */
export const define = (command: Command): Command =>
  command
    .description('Restore a data folder from a backup. Queued messages are held.')
    .requiredOption('--from <folder>', 'folder of the backup')
    .requiredOption('--data <folder>', 'new folder for the service')
    .option(
      '--send-pending',
      'send the messages that were queued at the time of the backup. They may arrive twice',
    )
    .option(...jsonOption)
    .action(restore)

interface RestoreOptions {
  from: string
  data: string
  sendPending?: boolean
  json?: boolean
}

async function restore({ from, data, sendPending, json }: RestoreOptions): Promise<void> {
  const progress = createProgress()
  const { madeAt, blobs, held } = await restoreFolder(from, data, {
    sendPending,
    onProgress: ({ step, done, of }) =>
      progress.tell(of === undefined ? `${step} …` : `${step}: ${done} of ${of}`),
  }).finally(progress.end)
  const waiting =
    held === 0
      ? ''
      : `\n${held} messages were queued then, and may have been sent since, so they are held. Send them with: restante admin send-held`
  createOutput(json).tell(`Restored ${data} as it was at ${madeAt}.${waiting}`, {
    event: 'restored',
    data,
    made_at: madeAt,
    blobs,
    held,
  })
}
