import type { Command } from 'commander'
import { readSettings, type SettingName, settingsSchema } from '../../service/settings'
import { createOutput, jsonOption, type Output, paint, printable } from '../base/output'
import { addSettingFlags, serveDefaults, settingOptions } from '../base/setting-flags'
import { examine } from './doctor'
import type { Finding } from './fitness'

/** Defines `restante doctor`. */
export const define = (command: Command): Command =>
  addSettingFlags(command, serveDefaults)
    .description(
      'Check production readiness of these settings, the data folder, the clock and the DNS. Print each problem with its fix. The service may run meanwhile. The command exits with 1 if it finds a problem.',
    )
    .option(...jsonOption)
    .action(doctor)

type Flags = Record<string, unknown> & { json?: boolean }

/** Returns the production problems with these flags and this environment. */
export function findUnfit(flags: Flags): Promise<Finding[]> {
  const names = Object.keys(settingsSchema.shape) as SettingName[]
  const inArguments = names.filter((name) => flags[name] !== undefined)
  return examine(readSettings(settingOptions(flags, serveDefaults)), inArguments)
}

export function tellFinding(output: Output, { check, problem, remedy }: Finding): void {
  const said = [problem, remedy].map((text) => printable(text, 1_000))
  output.tell(`${paint('yellow', 'Not ready for production:')} ${said.join(' ')}`, {
    event: 'unfit',
    check,
    problem,
    remedy,
  })
}

/**
 * Runs `restante doctor`: prints what `serve` would report with these settings. Exits with 1 for a problem.
 */
async function doctor(flags: Flags): Promise<void> {
  const output = createOutput(flags.json)
  const findings = await findUnfit(flags)
  for (const finding of findings) tellFinding(output, finding)
  if (findings.length === 0) output.tell('No problems found. Ready for production.', { event: 'fit' })
  else process.exitCode = 1
}
