import type { Command } from 'commander'
import { restore as restoreFolder } from '../../service/host'
import { createOutput, createProgress, jsonOption } from '../base'

/** Defines `restante restore`. */
export const define = (command: Command): Command =>
  command
    .description('Make a data folder from a backup. Mail that waited to be sent is held.')
    .requiredOption('--from <folder>', 'folder of the backup')
    .requiredOption('--data <folder>', 'new folder for the service')
    .option('--send-pending', 'let mail go out that waited when the backup was made: it may arrive twice')
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
      : `\n${held} mails waited to be sent then, and may have gone out since: they are held. restante admin send-held sends them.`
  createOutput(json).tell(`Restored ${data} as it was at ${madeAt}.${waiting}`, {
    event: 'restored',
    data,
    made_at: madeAt,
    blobs,
    held,
  })
}
