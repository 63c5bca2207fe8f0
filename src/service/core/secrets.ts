import { createHash, hkdfSync } from 'node:crypto'

/** The server's secrets, the newest first; older ones stay readable. */
export interface Secrets {
  /** Which secret new keys are derived from. */
  readonly currentId: string
  /** 32 bytes that only this secret and this context lead to, as base64url. */
  derive(secretId: string, purpose: string, context: string): string | null
}

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

const idOf = (secret: string) => sha256(`restante secret id\n${secret}`).slice(0, 12)

/** @param list One secret or more, separated by commas, the newest first. */
export function createSecrets(list: string): Secrets {
  const secrets = new Map(
    list
      .split(',')
      .map((secret) => secret.trim())
      .filter(Boolean)
      .map((secret) => [idOf(secret), secret]),
  )
  const [currentId] = secrets.keys()
  if (!currentId) throw new Error('no secret')
  return {
    currentId,
    derive(secretId, purpose, context) {
      const secret = secrets.get(secretId)
      if (secret === undefined) return null
      return Buffer.from(hkdfSync('sha256', secret, context, `restante ${purpose}`, 32)).toString('base64url')
    },
  }
}
