import type { Command } from 'commander'
import {
  environmentName,
  environmentOptions,
  flagName,
  isSecretSetting,
  readSettings,
  type ServiceOptions,
  type SettingName,
  settingsSchema,
} from '../../service/settings'
import { jsonOption } from './output'
import { addReplaceableOption } from './secret-arguments'

/** Flags of a command of the administrator: settings, and its own. */
export type Flags = Record<string, unknown> & { json?: boolean }

/** Returns a function that adds commands below `parent` that work with a service or with its database. */
export const addingTo =
  (parent: Command) =>
  (name: string, description: string, isDefault = false): Command =>
    addSettingFlags(parent.command(name, { isDefault }), serveDefaults, adminSettings)
      .description(description)
      .option(...jsonOption)

/** Returns the settings of the service that a command addresses. */
export const placeOf = (flags: Flags) => readSettings(settingOptions(flags, serveDefaults))

/** Placeholders for flag values in the help. */
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

/** Boolean settings: their flags need no value to be true. */
const switches: ReadonlySet<SettingName> = new Set([
  ...(['signup', 'verifyOperators', 'checkSenders'] as const),
  ...(['webhooksAllowPrivate', 'connectionsAllowPrivate'] as const),
])

function placeholderOf(name: SettingName): string {
  const placeholder = placeholders[name] ?? 'value'
  return switches.has(name) ? `[${placeholder}]` : `<${placeholder}>`
}

/** Settings of the bucket for large messages. */
export const blobSettings: readonly SettingName[] = [
  'blobs',
  'blobsEndpoint',
  'blobsRegion',
  'blobsAccessKeyId',
  'blobsSecretAccessKey',
]

/** Settings that administrator commands need. */
const adminSettings: readonly SettingName[] = [
  ...(['data', 'databaseUrl', 'plans', 'secret', 'publicUrl', 'consoleUrl', 'domain'] as const),
  ...blobSettings,
]

/** Adds a flag for each setting of the service, or for some of them. `defaults` are those of the command. */
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
 * Merges settings: flags override the environment, which overrides the defaults. A database URL disables the
 * default data folder, since large messages would be stored on one node only.
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

/** Defaults of the two commands that run a service. */
export const devDefaults: ServiceOptions = { data: '.restante', verifyOperators: false }
export const serveDefaults: ServiceOptions = { data: '.restante', log: 'info', verifyOperators: true }
