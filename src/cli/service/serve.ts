import type { Command } from 'commander'
import { createService } from '../../service/service'
import {
  addSettingFlags,
  createOutput,
  jsonOption,
  serveDefaults,
  settingOptions,
  untilStopped,
} from '../base'
import { findUnfit, tellFinding } from './doctor'

/** Defines `restante serve`. */
export const define = (command: Command): Command =>
  addSettingFlags(command, serveDefaults)
    .description('Run the service for others.')
    .option(...jsonOption)
    .action(serve)

/** `restante serve`: the service for others, until it is asked to stop. */
async function serve(flags: Record<string, unknown> & { json?: boolean }): Promise<void> {
  const output = createOutput(flags.json)
  const stopped = untilStopped()
  const service = await createService(settingOptions(flags, serveDefaults))
  try {
    const { url, consoleUrl, smtp } = await service.listen()
    output.tell(`Serving ${url}, SMTP ${smtp}, console ${consoleUrl}`, { url, console_url: consoleUrl, smtp })
    const dkim = await service.dkimRecord()
    if (dkim) output.tell(`Publish for DKIM: ${dkim.name} TXT "${dkim.value}"`, { event: 'dkim', ...dkim })
    // The DNS may be slow: the start does not wait for it.
    findUnfit(flags).then(
      (findings) => {
        for (const finding of findings) tellFinding(output, finding)
      },
      () => {},
    )
    await stopped
  } finally {
    await service.close()
  }
  output.tell('Stopped.', { event: 'stopped' })
}
