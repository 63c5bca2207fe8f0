import type { Command } from 'commander'
import {
  environmentName,
  environmentOptions,
  flagName,
  isSecretSetting,
  type ServiceOptions,
  type SettingName,
  settingsSchema,
} from '../../service/settings'
import { addReplaceableOption } from './secret-arguments'

/** Placeholders for the values of flags in the help. */
const placeholders: Partial<Record<SettingName, string>> = {
  http: 'host:port',
  smtp: 'host:port|off',
  data: 'folder',
  blobs: 's3://bucket',
  blobsEndpoint: 'url',
  databaseUrl: 'url',
  databaseDirectUrl: 'url',
  natsUrl: 'urls',
  roles: 'smtp,http,work',
  domain: 'domain',
  delivery: 'way',
  publicUrl: 'url',
  consoleUrl: 'url',
  cors: 'origins',
  secret: 'text',
  signup: 'true|false',
  verifyOperators: 'true|false',
  keepEventsDays: 'days',
  keepExpiredDays: 'days',
  plans: 'json',
  log: 'level',
}

/** Settings that are true or false: their flags need no value to be true. */
const switches: ReadonlySet<SettingName> = new Set([
  ...(['signup', 'verifyOperators', 'checkSenders'] as const),
  ...(['webhooksAllowPrivate', 'connectionsAllowPrivate'] as const),
])

function placeholderOf(name: SettingName): string {
  const placeholder = placeholders[name] ?? 'value'
  return switches.has(name) ? `[${placeholder}]` : `<${placeholder}>`
}

/** The settings of the bucket of large mails. */
export const blobSettings: readonly SettingName[] = [
  'blobs',
  'blobsEndpoint',
  'blobsRegion',
  'blobsAccessKeyId',
  'blobsSecretAccessKey',
]

/** The settings that a command of the host needs. */
export const adminSettings: readonly SettingName[] = [
  ...(['data', 'databaseUrl', 'plans', 'secret', 'publicUrl', 'consoleUrl', 'domain'] as const),
  ...blobSettings,
]

/** A flag for each setting of the service, or for some; `defaults` are those of the command. */
export function addSettingFlags(
  command: Command,
  defaults: ServiceOptions,
  names: readonly string[] = Object.keys(settingsSchema.shape),
): Command {
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    if (!names.includes(name)) continue
    const { description } = schema.meta() ?? {}
    const usual = defaults[name as SettingName] ?? (schema.def as { defaultValue?: unknown }).defaultValue
    const ending = usual === undefined ? '' : ` (default: ${usual})`
    const flag = `--${flagName(name)} ${placeholderOf(name as SettingName)}`
    const variable = environmentName(name)
    addReplaceableOption(command, [flag, `${description}${ending} [${variable}]`], {
      variable,
      isSecret: isSecretSetting(name as SettingName),
    })
  }
  return command
}

/**
 * The settings that were given: a flag is stronger than the environment, and that than the defaults. No folder is
 * meant where PostgreSQL is named: large mails would lie on one of its nodes only.
 */
export function settingOptions(
  flags: Record<string, unknown>,
  defaults: ServiceOptions = {},
): ServiceOptions {
  const names = Object.keys(settingsSchema.shape)
  const given = names.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]])
  const meant = { ...environmentOptions(process.env), ...Object.fromEntries(given) }
  return { ...defaults, ...('databaseUrl' in meant && { data: undefined }), ...meant }
}

/** The settings of the two commands that run a service, where nothing else sets them. */
export const devDefaults: ServiceOptions = { data: '.restante', verifyOperators: false }
export const serveDefaults: ServiceOptions = { data: '.restante', log: 'info', verifyOperators: true }
