import type { Server } from 'node:http'
import { UsageError } from '../../protocol/errors/error'

/** Formats a host for URLs: IPv6 in brackets. */
export const shownHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Listens and resolves with the port. @throws UsageError `port_unavailable` */
export function listenHttp(
  server: Server,
  { host, port }: { host: string; port: number },
  name: 'http' | 'metrics' = 'http',
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portError(name, host, port, error)))
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}

const portReasons: Record<string, string> = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more permissions',
  EADDRNOTAVAIL: 'cannot be used: this machine does not have the address',
  ENOTFOUND: 'cannot be used: there is no such host',
}

/** Converts a failure to listen into an error with a remedy; other errors stay as they are. */
export function portError(
  name: 'http' | 'smtp' | 'metrics',
  host: string,
  port: number,
  error: unknown,
): unknown {
  const reason = portReasons[(error as NodeJS.ErrnoException).code ?? '']
  if (!reason) return error
  return new UsageError(
    'port_unavailable',
    `Port ${port} on ${host} ${reason}. Choose another address with --${name} HOST:PORT, or with the option ${name} of createService(). Port 0 picks a free port.`,
    { cause: error },
  )
}

const maxRunMs = 5_000

/** Closes idle connections at once and active ones after {@link maxRunMs}. */
export async function closeServer(server: Server | undefined): Promise<void> {
  if (!server?.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), maxRunMs)
  await closed
  clearTimeout(timer)
}
