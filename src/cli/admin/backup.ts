import type { Command } from 'commander'
import { backUp } from '../../service/backup/backup'
import { readSettings } from '../../service/settings'
import type { BlobSettings } from '../../service/store/blobs/open-blobs'
import { createOutput, jsonOption } from '../base/output'
import { createProgress } from '../base/progress'
import { addSettingFlags, blobSettings, settingOptions } from '../base/setting-flags'

/** Defines `restante backup`. */
export const define = (command: Command): Command =>
  addSettingFlags(command, {}, blobSettings)
    .description(
      'Back up the data folder: database, large messages and the secret. The service may run meanwhile.',
    )
    .requiredOption('--to <folder>', 'new folder for the backup')
    .option(
      '--data <folder>',
      'folder of the service [RESTANTE_DATA]',
      process.env.RESTANTE_DATA || '.restante',
    )
    .option(...jsonOption)
    .action(backup)

interface BackupOptions extends Record<string, unknown> {
  data: string
  to: string
  json?: boolean
}

/** Reads the settings of the bucket for large messages, which must match those of the service. */
function placeOf(flags: Record<string, unknown>): BlobSettings {
  const given = Object.entries(settingOptions(flags)).filter(([name]) => blobSettings.includes(name as never))
  return readSettings(Object.fromEntries(given))
}

async function backup({ data, to, json, ...flags }: BackupOptions): Promise<void> {
  const progress = createProgress()
  const { blobs } = await backUp(
    data,
    to,
    ({ step, done, of }) => progress.tell(of === undefined ? `${step} …` : `${step}: ${done} of ${of}`),
    placeOf(flags),
  ).finally(progress.end)
  createOutput(json).tell(
    `Backed up ${data} to ${to}. The backup contains the secret behind all API keys: keep it safe.`,
    { event: 'backed_up', to, blobs },
  )
}
