import { examine, type Finding } from '../service/doctor'
import { readSettings, type SettingName, settingsSchema } from '../service/settings'
import { serveDefaults, settingOptions } from './flags'
import { createOutput, type Output, printable } from './output'

type Flags = Record<string, unknown> & { json?: boolean }

/** Finds what is not fit for production, with these flags and this environment. */
export function findUnfit(flags: Flags): Promise<Finding[]> {
  const names = Object.keys(settingsSchema.shape) as SettingName[]
  const inArguments = names.filter((name) => flags[name] !== undefined)
  return examine(readSettings(settingOptions(flags, serveDefaults)), inArguments)
}

export function tellFinding(output: Output, { check, problem, remedy }: Finding): void {
  const said = [problem, remedy].map((text) => printable(text, 1_000))
  output.tell(`Not fit for production: ${said.join(' ')}`, { event: 'unfit', check, problem, remedy })
}

/** `restante doctor`: what `serve` with the same settings would say at its start; fails where there is something. */
export async function doctor(flags: Flags): Promise<void> {
  const output = createOutput(flags.json)
  const findings = await findUnfit(flags)
  for (const finding of findings) tellFinding(output, finding)
  if (findings.length === 0)
    output.tell('Nothing was found that is not fit for production.', { event: 'fit' })
  else process.exitCode = 1
}
