import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ConnectionBody } from '../../protocol/connections/connection'
import { type DiscoveryPorts, discover } from './discovery/discover'
import { createFileFetcher } from './discovery/fetch-file'
import type { FoundServers, MailServer } from './discovery/providers'
import { reachable, takesAnyCertificate } from './login'
import type { ConnectionPorts } from './ports'
import { readServers } from './records'
import { MailSourceError } from './source/mail-source'

/** Time in ms that a guessed server has to greet. */
const greetMs = 5_000

function socketTo(ports: ConnectionPorts, { host, port, tls }: MailServer, address: string): Socket {
  if (tls !== 'implicit') return connect(port, address)
  return connectTls({
    host: address,
    port,
    servername: host,
    rejectUnauthorized: !takesAnyCertificate(ports, address),
  })
}

/** Checks whether a server greets as IMAP (RFC 9051 section 7.1) or SMTP (RFC 5321 section 3.1) does. */
async function greets(ports: ConnectionPorts, server: MailServer, signal: AbortSignal): Promise<boolean> {
  const address = await reachable(ports, server)
  return new Promise((resolve) => {
    const socket = socketTo(ports, server, address)
    const end = (isServer: boolean) => {
      cancel()
      signal.removeEventListener('abort', stop)
      socket.destroy()
      resolve(isServer)
    }
    const stop = () => end(false)
    const cancel = ports.clock.background(greetMs, stop)
    signal.addEventListener('abort', stop, { once: true })
    socket.on('error', stop).on('close', stop)
    socket.once('data', (bytes) => end(/^(?:\* |220[ -])/.test(bytes.subarray(0, 4).toString('latin1'))))
    if (signal.aborted) stop()
  })
}

/**
 * Returns the servers of a mailbox: those of the request, or those that its address leads to.
 *
 * @throws MailSourceError `unreachable` if none is found
 */
export async function serversOf(
  ports: ConnectionPorts,
  { address, imap, smtp }: Pick<ConnectionBody, 'address' | 'imap' | 'smtp'>,
  signal: AbortSignal,
): Promise<FoundServers> {
  if (imap) return readServers(imap, smtp)
  const { resolver, clock, settings } = ports
  const discovery: DiscoveryPorts = {
    resolver,
    fetchFile: createFileFetcher({ resolver, clock, allowPrivate: settings.connectionsAllowPrivate }),
    greets: (server, inTime) => greets(ports, server, inTime),
  }
  const found = await discover(discovery, address, signal)
  if ('problem' in found) throw new MailSourceError('unreachable', found.problem)
  return smtp ? { ...found, smtp: readServers(found.imap, smtp).smtp } : found
}
