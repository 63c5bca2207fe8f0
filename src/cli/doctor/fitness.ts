import { isPublic } from '../../service/net/networks'
import {
  environmentName,
  isSecretSetting,
  type SettingName,
  type Settings,
  verifiesOperators,
} from '../../service/settings'
import { holdsPassword } from '../base/secret-arguments'

/** Problem for production use. */
export interface Finding {
  /** Stable code for programs. */
  check: string
  /** Problem, in a sentence. */
  problem: string
  /** Remedy, in a sentence. */
  remedy: string
}

/** Context of the checks of settings. */
interface SettingsContext {
  settings: Settings
  /** Settings given as arguments of the command, which every user of the machine can list. */
  inArguments: readonly SettingName[]
}

const loopback = /^(127\.|::1$|localhost$)/
/** Names that are never in the DNS (RFC 2606, RFC 6761, RFC 6762). */
const special = /(^|\.)(localhost|test|example|invalid|local|internal)$/

/** Returns whether this domain can have addresses that are reachable from elsewhere. */
export const isRealDomain = (domain: string): boolean => !special.test(domain)

const minSecretLength = 32
const minCharacters = 10
const guessed = /change.?me|secret|password|example|restante|12345|abcdef|qwerty/i

function weakness(secret: string): string | null {
  if (secret.length < minSecretLength) return `has ${secret.length} characters`
  if (new Set(secret).size < minCharacters) return 'repeats few characters'
  return guessed.test(secret) ? 'has a word in it that is guessed first' : null
}

type Check = (context: SettingsContext) => Finding | Finding[] | null

function plainHttp({ settings: { http, publicUrl, trustProxy } }: SettingsContext): Finding | null {
  const isBehindProxy =
    publicUrl?.startsWith('https:') && (loopback.test(http.host) || trustProxy !== undefined)
  const isLocal = loopback.test(http.host) && !publicUrl?.startsWith('http:')
  if (isBehindProxy || isLocal || publicUrl?.match(/^http:\/\/(localhost|127\.|\[::1\])/)) return null
  return {
    check: 'plain_http',
    problem: `API keys cross the network in the clear: HTTP is served on ${http.host}${publicUrl ? `, and the public address is ${publicUrl}` : ''}.`,
    remedy:
      'Put a proxy with a certificate before it, and set RESTANTE_PUBLIC_URL=https://… and RESTANTE_TRUST_PROXY=1.',
  }
}

function weakSecret({ settings: { secret } }: SettingsContext): Finding[] {
  if (secret === undefined) return []
  const remedy = 'Put a new one in front, such as `openssl rand -base64 33` makes: RESTANTE_SECRET=new,old.'
  const all = secret.split(',').map((one) => one.trim())
  const weak = weakness(all[0]!)
  const findings: Finding[] = []
  if (weak)
    findings.push({ check: 'weak_secret', problem: `The secret that keys are made of ${weak}.`, remedy })
  if (new Set(all).size < all.length)
    findings.push({
      check: 'repeated_secret',
      problem: 'A secret is named twice, which replaces nothing.',
      remedy,
    })
  return findings
}

function exposedArguments({ settings, inArguments }: SettingsContext): Finding[] {
  const isExposed = (name: SettingName) => {
    const value = settings[name]
    return isSecretSetting(name) || (typeof value === 'string' && holdsPassword(value))
  }
  return inArguments.filter(isExposed).map((name) => ({
    check: 'secret_in_arguments',
    problem: `Every user of this machine can list the ${isSecretSetting(name) ? `secret ${name}` : `password in ${name}`}, which is an argument of the command.`,
    remedy: `Give it by the environment: ${environmentName(name)}.`,
  }))
}

function capturedMail({ settings: { delivery, domain } }: SettingsContext): Finding | null {
  if (delivery !== 'capture') return null
  if (isRealDomain(domain))
    return {
      check: 'capture',
      problem: `Mail of ${domain} does not leave this machine: delivery is capture.`,
      remedy: 'Set RESTANTE_DELIVERY to direct, or to the URL of a smarthost.',
    }
  return {
    check: 'local_domain',
    problem: `Nobody elsewhere can write to ${domain}, and its mail does not leave this machine.`,
    remedy: 'Set RESTANTE_DOMAIN to a domain of yours, and RESTANTE_DELIVERY to direct or to a smarthost.',
  }
}

const checks: Check[] = [
  plainHttp,
  weakSecret,
  exposedArguments,
  capturedMail,
  ({ settings: { webhooksAllowPrivate } }) =>
    webhooksAllowPrivate
      ? {
          check: 'private_webhooks',
          problem: 'Webhooks may reach addresses inside your network, which any account can name.',
          remedy: 'Leave RESTANTE_WEBHOOKS_ALLOW_PRIVATE unset.',
        }
      : null,
  ({ settings: { signup, domain, consoleUrl, publicUrl } }) =>
    signup && isRealDomain(domain) && consoleUrl === undefined && publicUrl === undefined
      ? {
          check: 'claim_page',
          problem: 'The links by which people claim accounts lead to this machine only.',
          remedy: 'Set RESTANTE_PUBLIC_URL, or RESTANTE_CONSOLE_URL if the console has its own address.',
        }
      : null,
  ({ settings }) =>
    settings.signup && verifiesOperators(settings) && settings.delivery === 'capture'
      ? {
          check: 'operator_verification',
          problem:
            'No link that verifies the address of an operator leaves this service: delivery is capture.',
          remedy: 'Set RESTANTE_DELIVERY, or verify each operator by `restante admin verify-operator EMAIL`.',
        }
      : null,
  ({ settings }) =>
    settings.signup &&
    isRealDomain(settings.domain) &&
    !verifiesOperators(settings) &&
    settings.delivery !== 'capture'
      ? {
          check: 'unverified_operators',
          problem: 'A program can claim its own account: the addresses of operators are not verified.',
          remedy: 'Leave RESTANTE_VERIFY_OPERATORS unset.',
        }
      : null,
  ({ settings: { smtp, domain } }) =>
    isRealDomain(domain) && smtp !== 'off' && loopback.test(smtp.host)
      ? {
          check: 'smtp_loopback',
          problem: `Only this machine can bring mail for ${domain}: SMTP listens on ${smtp.host}.`,
          remedy: 'Set RESTANTE_SMTP=0.0.0.0:25, or forward port 25 to it.',
        }
      : null,
  ({ settings: { metrics } }) =>
    metrics &&
    !loopback.test(metrics.host) &&
    (isPublic(metrics.host) || /^(0\.0\.0\.0|::)$/.test(metrics.host))
      ? {
          check: 'public_metrics',
          problem: `Anybody who reaches ${metrics.host} can read the metrics.`,
          remedy: 'Set RESTANTE_METRICS to a loopback or private address.',
        }
      : null,
  ({ settings: { data, databaseUrl } }) =>
    data === undefined && databaseUrl === undefined
      ? {
          check: 'memory_only',
          problem: 'The data is in memory: all messages are lost when the process ends.',
          remedy: 'Set RESTANTE_DATA or RESTANTE_DATABASE_URL.',
        }
      : null,
]

/** Checks the settings alone, without queries to the system or the network. */
export const judgeSettings = (context: SettingsContext): Finding[] =>
  checks.flatMap((check) => check(context) ?? [])
