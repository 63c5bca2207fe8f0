/** Policy of a domain for its senders (RFC 8461 section 3.2). */
export interface StsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Allowed mail exchangers, each a name or `*.` and a name. */
  exchangers: string[]
  maxAgeSeconds: number
}

const maxPolicySeconds = 31_557_600
const maxLines = 1_000
const modes = ['enforce', 'testing', 'none'] as const
const pattern = /^(\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*$/

/** Parses a policy; null if it is invalid, or of an unknown version. */
export function parsePolicy(text: string): StsPolicy | null {
  const fields = new Map<string, string>()
  const exchangers: string[] = []
  for (const line of text.split(/\r?\n/, maxLines)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim()
    const value = line.slice(colon + 1).trim()
    if (name === 'mx') exchangers.push(value.toLowerCase().replace(/\.$/, ''))
    else if (name !== '' && !fields.has(name)) fields.set(name, value)
  }
  const mode = modes.find((one) => one === fields.get('mode'))
  const maxAge = fields.get('max_age') ?? ''
  if (fields.get('version') !== 'STSv1' || !mode || !/^\d{1,10}$/.test(maxAge)) return null
  if (mode !== 'none' && exchangers.length === 0) return null
  if (!exchangers.every((one) => pattern.test(one))) return null
  return { mode, exchangers, maxAgeSeconds: Math.min(Number(maxAge), maxPolicySeconds) }
}

/** Checks whether a policy names a message exchanger; `*` matches one label (RFC 8461 section 4.1). */
export function namesExchanger({ exchangers }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf('.') + 1)
  return exchangers.some((one) =>
    one.startsWith('*.') ? host.includes('.') && one.slice(2) === parent : one === host,
  )
}

/** Returns the id of the policy in a domain's TXT records; null if they announce none. */
export function policyIdOf(records: readonly (readonly string[])[]): string | null {
  const announced = records.map((parts) => parts.join('')).filter((text) => /^v=STSv1\s*(;|$)/.test(text))
  if (announced.length !== 1) return null
  const fields = announced[0]!.split(';').map((field) => field.trim())
  const id = fields.find((field) => field.startsWith('id='))?.slice(3) ?? ''
  return /^[a-z\d]{1,32}$/i.test(id) ? id : null
}
