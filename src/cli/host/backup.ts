import type { Command } from 'commander'
import { backUp } from '../../service/host'
import { createOutput, createProgress, jsonOption } from '../base'

/** Defines `restante backup`. */
export const define = (command: Command): Command =>
  command
    .description('Copy the data folder: database, large mails and the secret, also while the service runs.')
    .requiredOption('--to <folder>', 'new folder for the backup')
    .option(
      '--data <folder>',
      'folder of the service [RESTANTE_DATA]',
      process.env.RESTANTE_DATA || '.restante',
    )
    .option(...jsonOption)
    .action(backup)

async function backup({ data, to, json }: { data: string; to: string; json?: boolean }): Promise<void> {
  const progress = createProgress()
  const { blobs } = await backUp(data, to, ({ step, done, of }) =>
    progress.tell(of === undefined ? `${step} …` : `${step}: ${done} of ${of}`),
  ).finally(progress.end)
  createOutput(json).tell(
    `Backed up ${data} to ${to}. It holds the secret that keys are made of: keep it safe.`,
    { event: 'backed_up', to, blobs },
  )
}
