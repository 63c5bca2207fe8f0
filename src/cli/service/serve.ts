import type { Command } from 'commander'
import { createService, type Service } from '../../service/service'
import { createOutput, jsonOption, writeError } from '../base/output'
import { addSettingFlags, serveDefaults, settingOptions } from '../base/setting-flags'
import { untilStopped } from '../base/until-stopped'
import { findUnfit, tellFinding } from '../doctor/command'

/** Defines `restante serve`. */
export const define = (command: Command): Command =>
  addSettingFlags(command, serveDefaults)
    .description('Run the service in production.')
    .option(...jsonOption)
    .action(serve)

const exitMs = 1_000

/** Runs `restante serve`: the service for others, until it is asked to stop. */
async function serve(flags: Record<string, unknown> & { json?: boolean }): Promise<void> {
  const output = createOutput(flags.json)
  const options = settingOptions(flags, serveDefaults)
  let service: Service | undefined
  const reload = async () => {
    if (options.smtpCertificate === undefined)
      return output.tell('No SMTP certificate is set: nothing to reload.', { event: 'no_certificate' })
    try {
      await service?.reloadCertificate()
      output.tell('Reloaded the SMTP certificate.', { event: 'certificate_reloaded' })
    } catch (error) {
      writeError(error, flags.json === true)
    }
  }
  const stopped = untilStopped(process.stdin.isTTY ? undefined : () => void reload())
  // A start may wait for a database.
  service = (await Promise.race([createService(options), stopped])) ?? undefined
  if (!service) return process.exit()
  try {
    const { url, consoleUrl, smtp } = await service.listen()
    output.tell(`Serving ${url}, SMTP ${smtp}, console ${consoleUrl}`, { url, console_url: consoleUrl, smtp })
    const dkim = await service.dkimRecord()
    if (dkim) output.tell(`Publish for DKIM: ${dkim.name} TXT "${dkim.value}"`, { event: 'dkim', ...dkim })
    // The DNS may be slow, so the start does not wait for it.
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
  // A connection to a silent peer would keep the process alive for a quarter of an hour.
  setTimeout(() => process.exit(), exitMs).unref()
}
