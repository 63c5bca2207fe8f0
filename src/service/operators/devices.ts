import { createHash, createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from '../base/secrets'
import type { OutboundPorts } from '../outbound/delivery/ports'

const lifeSeconds = 365 * 24 * 3600

/** Registry of browsers in which an operator has signed in before. */
interface Devices {
  /** Returns the device id from the cookie for this address; null for an unknown device. */
  of(headers: Headers, email: string): string | null
  /** Returns a new cookie that identifies the device from now on. */
  cookieOf(email: string): string
}

/**
 * Recognises devices by a signed cookie, so that guessing passwords locks out unknown devices only. The
 * cookie signs nobody in, and its name does not reveal the address.
 */
export function createDevices({ secrets, settings }: OutboundPorts): Devices {
  const key = (id: string) => secrets.derive(id, 'operator devices', 'v1')!
  const nameOf = (email: string) =>
    `restante.device.${createHmac('sha256', key(secrets.currentId)).update(`name ${email}`).digest('hex').slice(0, 16)}`
  const tagOf = (email: string, device: string) =>
    createHmac('sha256', key(secrets.currentId)).update(`${device} ${email}`).digest('base64url')
  return {
    of(headers, email) {
      const prefix = `${nameOf(email)}=`
      const cookie = (headers.get('cookie') ?? '')
        .split(';')
        .map((one) => one.trim())
        .find((one) => one.startsWith(prefix))
      const [device, tag] = cookie?.slice(prefix.length).split('.') ?? []
      if (!device || !tag || !isSameSecret(tag, tagOf(email, device))) return null
      return createHash('sha256').update(device).digest('hex').slice(0, 16)
    },
    cookieOf(email) {
      const device = randomBytes(16).toString('base64url')
      const secure = settings.consoleUrl.startsWith('https:') ? '; Secure' : ''
      return `${nameOf(email)}=${device}.${tagOf(email, device)}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`
    },
  }
}
