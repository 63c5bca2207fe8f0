/** Address of a mail server. */
export interface MailServer {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'off'
}

/** Servers of a mailbox, and what its user has to know. */
export interface FoundServers {
  imap: MailServer
  smtp: MailServer
  /** Name to log in with; the address if undefined. */
  user?: string | undefined
}

interface Provider extends FoundServers {
  domains: readonly string[]
  /** Domains of its MX hosts, for domains of its customers. */
  exchangers?: readonly string[]
  /** True if the user is the part before the `@`. */
  isLocalUser?: true
}

const imaps = (host: string): MailServer => ({ host, port: 993, tls: 'implicit' })
const smtps = (host: string): MailServer => ({ host, port: 465, tls: 'implicit' })
const submission = (host: string): MailServer => ({ host, port: 587, tls: 'starttls' })

/**
 * The largest providers, by their own settings pages and https://github.com/thunderbird/autoconfig. An
 * address in this table needs no request to anybody.
 */
const providers: readonly Provider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['google.com', 'googlemail.com'],
    ...{ imap: imaps('imap.gmail.com'), smtp: smtps('smtp.gmail.com') },
  },
  {
    domains: [
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'outlook.de',
      'hotmail.co.uk',
      'hotmail.fr',
    ],
    ...{ imap: imaps('outlook.office365.com'), smtp: submission('smtp-mail.outlook.com') },
  },
  {
    domains: ['onmicrosoft.com'],
    exchangers: ['mail.protection.outlook.com', 'mx.microsoft'],
    ...{ imap: imaps('outlook.office365.com'), smtp: submission('smtp.office365.com') },
  },
  {
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr'],
    exchangers: ['yahoodns.net'],
    ...{ imap: imaps('imap.mail.yahoo.com'), smtp: smtps('smtp.mail.yahoo.com') },
  },
  { domains: ['aol.com'], imap: imaps('imap.aol.com'), smtp: smtps('smtp.aol.com') },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['mail.icloud.com'],
    ...{ imap: imaps('imap.mail.me.com'), smtp: submission('smtp.mail.me.com') },
  },
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    exchangers: ['messagingengine.com'],
    ...{ imap: imaps('imap.fastmail.com'), smtp: smtps('smtp.fastmail.com') },
  },
  {
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    ...{ imap: imaps('imap.gmx.net'), smtp: smtps('mail.gmx.net') },
  },
  { domains: ['gmx.com'], imap: imaps('imap.gmx.com'), smtp: smtps('mail.gmx.com') },
  { domains: ['web.de'], isLocalUser: true, imap: imaps('imap.web.de'), smtp: smtps('smtp.web.de') },
  { domains: ['t-online.de'], imap: imaps('secureimap.t-online.de'), smtp: smtps('securesmtp.t-online.de') },
  { domains: ['posteo.de', 'posteo.net'], imap: imaps('posteo.de'), smtp: smtps('posteo.de') },
  {
    domains: ['mailbox.org'],
    exchangers: ['mailbox.org'],
    ...{ imap: imaps('imap.mailbox.org'), smtp: smtps('smtp.mailbox.org') },
  },
  { domains: ['zoho.com', 'zohomail.com'], imap: imaps('imap.zoho.com'), smtp: smtps('smtp.zoho.com') },
  {
    domains: ['yandex.com', 'yandex.ru'],
    exchangers: ['yandex.net', 'yandex.ru'],
    ...{ imap: imaps('imap.yandex.com'), smtp: smtps('smtp.yandex.com') },
  },
  {
    domains: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru'],
    imap: imaps('imap.mail.ru'),
    smtp: smtps('smtp.mail.ru'),
  },
  { domains: ['orange.fr'], imap: imaps('imap.orange.fr'), smtp: smtps('smtp.orange.fr') },
  { domains: ['free.fr'], isLocalUser: true, imap: imaps('imap.free.fr'), smtp: smtps('smtp.free.fr') },
  { domains: ['comcast.net'], imap: imaps('imap.comcast.net'), smtp: submission('smtp.comcast.net') },
  { domains: ['qq.com'], imap: imaps('imap.qq.com'), smtp: smtps('smtp.qq.com') },
  { domains: ['163.com'], imap: imaps('imap.163.com'), smtp: smtps('smtp.163.com') },
  { domains: ['naver.com'], imap: imaps('imap.naver.com'), smtp: smtps('smtp.naver.com') },
]

/** Checks whether a name is a domain or is in it. Both are in lower case. */
export const isWithin = (name: string, domain: string): boolean =>
  name === domain || name.endsWith(`.${domain}`)

const serversOf = ({ imap, smtp, isLocalUser }: Provider, local: string): FoundServers => ({
  imap,
  smtp,
  ...(isLocalUser && { user: local }),
})

/** Returns the servers of an address at a large provider. */
export function providerOf(local: string, domain: string): FoundServers | null {
  const found = providers.find(({ domains }) =>
    domains.some((one) => one === domain || (one === 'onmicrosoft.com' && isWithin(domain, one))),
  )
  return found ? serversOf(found, local) : null
}

/** Checks whether a host is a server of the table. */
export const isKnownServer = (host: string): boolean =>
  providers.some(({ imap, smtp }) => imap.host === host || smtp.host === host)

/** Returns the servers of the provider that receives the email of a domain. */
export function providerOfExchanger(local: string, exchanger: string): FoundServers | null {
  const found = providers.find(({ exchangers = [] }) => exchangers.some((one) => isWithin(exchanger, one)))
  return found ? serversOf(found, local) : null
}
