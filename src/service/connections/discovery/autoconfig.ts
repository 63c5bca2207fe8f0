import { loadLater } from '../../base/load-later'
import type { FoundServers, MailServer } from './providers'

const loadXml = loadLater(() => import('../../extraction/parts/xml'))

/** Maximum size of a configuration file: real ones have a few kilobytes. */
export const maxConfigBytes = 64 * 1024
/** Servers that are read from one file. */
const maxServers = 20

interface Server {
  protocol: string
  hostname: string
  port: string
  socketType: string
  username: string
}

const fields = ['hostname', 'port', 'socketType', 'username'] as const

const serverOf = ({ hostname, port, socketType }: Server): MailServer | null => {
  const tls = { SSL: 'implicit', STARTTLS: 'starttls' }[socketType] as MailServer['tls'] | undefined
  const host = hostname.toLowerCase()
  const number = Number(port)
  if (!tls || !/^[a-z\d.-]{1,253}$/.test(host) || !Number.isInteger(number) || number < 1 || number > 65_535)
    return null
  return { host, port: number, tls }
}

const named = (text: string, local: string, domain: string): string =>
  text
    .replaceAll('%EMAILADDRESS%', `${local}@${domain}`)
    .replaceAll('%EMAILLOCALPART%', local)
    .replaceAll('%EMAILDOMAIN%', domain)

/**
 * Reads a file in the format of Thunderbird's autoconfiguration
 * (https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat): the first IMAP and SMTP servers
 * with TLS. Servers without TLS are left out.
 *
 * @returns null if one of the two is missing.
 */
export async function readAutoconfig(
  bytes: Uint8Array,
  local: string,
  domain: string,
): Promise<FoundServers | null> {
  const { readXml } = await loadXml()
  const servers: Server[] = []
  let server: Server | null = null
  let field: (typeof fields)[number] | null = null
  await readXml([bytes], {
    open(name, { type = '' }) {
      if (name === 'incomingServer' || name === 'outgoingServer') {
        server = { protocol: type, hostname: '', port: '', socketType: '', username: '' }
        servers.push(server)
      }
      field = fields.find((one) => one === name) ?? null
    },
    close(name) {
      if (name === 'incomingServer' || name === 'outgoingServer') server = null
      field = null
    },
    text(text) {
      if (server && field) server[field] = (server[field] + text).trim().slice(0, 320)
    },
    isDone: () => servers.length > maxServers,
  })
  const first = (protocol: string) => {
    for (const one of servers) {
      const found = one.protocol === protocol ? serverOf(one) : null
      if (found) return { ...found, username: one.username }
    }
    return null
  }
  const [imap, smtp] = [first('imap'), first('smtp')]
  if (!imap || !smtp) return null
  const { username, ...imapServer } = imap
  const { username: _, ...smtpServer } = smtp
  const user = named(username, local, domain)
  return { imap: imapServer, smtp: smtpServer, ...(user && { user }) }
}
