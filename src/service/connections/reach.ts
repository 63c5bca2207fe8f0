import { isIP } from 'node:net'
import { isPublic } from '../net'
import { MailSourceError } from './mail-source'
import type { ConnectionPorts } from './ports'
import type { MailServer } from './records'

/** Below 1024 live services that are not mail: a connection must not look like one of theirs. */
const mailPorts = new Set([25, 143, 465, 587, 993])

type ReachPorts = Pick<ConnectionPorts, 'resolver' | 'settings'>

/**
 * Finds the address of a server that a stranger chose: what was checked is what is connected to, so that a name which
 * answers differently the next time gains nothing.
 *
 * @throws MailSourceError `unreachable`
 */
export async function reachable({ resolver, settings }: ReachPorts, server: MailServer): Promise<string> {
  const { host, port, tls } = server
  if (settings.connectionsAllowPrivate)
    return isIP(host) || host === 'localhost' ? host : firstOf(resolver, host)
  if (tls === 'off')
    throw new MailSourceError(
      'unreachable',
      `${host} must be spoken to with TLS: leave tls out, or say starttls.`,
    )
  if (!mailPorts.has(port) && port < 1_024)
    throw new MailSourceError(
      'unreachable',
      `Port ${port} is none of a mail server: use 993, 143, 465 or 587.`,
    )
  return firstOf(resolver, host, isPublic)
}

/** Tells whether any certificate will do for a server: only on a private network, where the host allows those. */
export const takesAnyCertificate = ({ settings }: Pick<ReachPorts, 'settings'>, address: string): boolean =>
  settings.connectionsAllowPrivate && (address === 'localhost' || (isIP(address) > 0 && !isPublic(address)))

async function firstOf(
  resolver: ConnectionPorts['resolver'],
  host: string,
  isAllowed: (address: string) => boolean = () => true,
): Promise<string> {
  const found = await resolver.addresses(host).catch((error: Error) => {
    throw new MailSourceError('unreachable', `${host} was not found in the DNS: check the name.`, {
      cause: error,
    })
  })
  const address = found.find(isAllowed)
  if (address) return address
  throw new MailSourceError(
    'unreachable',
    `${host} has no address on the public internet: whoever runs the service may allow others with RESTANTE_CONNECTIONS_ALLOW_PRIVATE.`,
  )
}
