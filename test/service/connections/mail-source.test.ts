import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openImapSource } from '../../../src/service/connections/imap-source'
import type { MailSource } from '../../../src/service/connections/source/mail-source'
import { createDovecot, hasDovecot, mailboxPassword, mailboxUser } from '../../support/dovecot'
import { startOddMailbox } from '../../support/odd-mailbox'
import { type ImapOddities, startScriptedImap } from '../../support/scripted-imap'

/** A mailbox with INBOX and Sent that a source is tried on. */
interface Ground extends AsyncDisposable {
  open(): Promise<MailSource>
  /** Puts a mail into a folder, as another client does. */
  put(folder: string, raw: string, flags?: string[]): Promise<void>
  /** The flags of the only mail of a subject, as another client sees them. */
  flagsOf(subject: string): Promise<string[]>
  /** Takes a mail away, as another client does. */
  remove(subject: string): Promise<void>
  kickAll(): void
}

const signal = new AbortController().signal
const sourceAt = (port: number, user: string, pass: string) => {
  const server = { host: '127.0.0.1', port, tls: 'off' as const }
  const credentials = { user, pass }
  return openImapSource({ server, address: '127.0.0.1', credentials, anyCertificate: true }, signal)
}

async function clientAt(port: number, user: string, pass: string): Promise<ImapFlow> {
  const client = new ImapFlow({
    ...{ host: '127.0.0.1', port, secure: false, doSTARTTLS: false },
    ...{ auth: { user, pass }, logger: false, disableAutoIdle: true },
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What another client does with a mailbox. */
function byClient(port: number, user: string, pass: string) {
  async function work<T>(run: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await clientAt(port, user, pass)
    try {
      return await run(client)
    } finally {
      client.close()
    }
  }
  const uidOf = async (client: ImapFlow, subject: string) => {
    await client.mailboxOpen('INBOX')
    const found = await client.search({ header: { subject } }, { uid: true })
    return String((found || [])[0])
  }
  return {
    put: (folder: string, raw: string, flags: string[] = []) =>
      work(async (client) => void (await client.append(folder, raw, flags))),
    flagsOf: (subject: string) =>
      work(async (client) => {
        const mail = await client.fetchOne(await uidOf(client, subject), { flags: true }, { uid: true })
        return mail ? [...mail.flags!] : []
      }),
    remove: (subject: string) =>
      work(async (client) => void (await client.messageDelete(await uidOf(client, subject), { uid: true }))),
  }
}

async function dovecot(withoutCondstore: boolean): Promise<Ground> {
  const server = await createDovecot({ withoutCondstore })
  await server.start()
  return {
    open: () => sourceAt(server.port, mailboxUser, mailboxPassword),
    ...byClient(server.port, mailboxUser, mailboxPassword),
    kickAll: () => server.kickAll(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function hoodiecrow(plugins: string[]): Promise<Ground> {
  const server = await startOddMailbox(plugins)
  return {
    open: () => sourceAt(server.imapPort, 'odd', 'odd-password'),
    ...byClient(server.imapPort, 'odd', 'odd-password'),
    kickAll: () => server.kickAll(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

async function scripted(odd: ImapOddities): Promise<Ground> {
  const server = await startScriptedImap(odd)
  const one = (subject: string) => server.mails().find(({ raw }) => raw.includes(`Subject: ${subject}\r\n`))!
  return {
    open: () => sourceAt(server.port, 'odd', 'odd'),
    put: async (folder, raw, flags) => void server.append(raw, folder, flags),
    flagsOf: async (subject) => [...one(subject).flags],
    remove: async (subject) => server.remove(one(subject).uid),
    kickAll: () => server.kickAll(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const grounds: Record<string, (() => Promise<Ground>) | false> = {
  'Dovecot with CONDSTORE': hasDovecot && (() => dovecot(false)),
  'Dovecot without CONDSTORE': hasDovecot && (() => dovecot(true)),
  'hoodiecrow with IMAP4rev1 alone': () => hoodiecrow([]),
  'hoodiecrow with extensions': () => hoodiecrow(['ID', 'IDLE', 'CONDSTORE', 'SPECIAL-USE', 'LITERALPLUS']),
  'a server with IMAP4rev1 alone': () => scripted({ capabilities: '' }),
  'a server that tells its capabilities after the login': () => scripted({ capabilitiesAfterLogin: true }),
  'a server that talks without being asked': () => scripted({ noise: true }),
  'a server without UIDNEXT': () => scripted({ uidNext: null }),
  'a server with a UIDNEXT that stays': () => scripted({ uidNext: 1 }),
  'a server with the UIDVALIDITY 0': () => scripted({ uidValidity: 0 }),
  'a server with broken dates': () => scripted({ internalDate: '99-Foo-0000 99:99:99 +9999' }),
  'a server with quoted strings for literals, and rows from the last to the first': () =>
    scripted({ quotes: true, backwards: true }),
}

const mailOf = (subject: string, more = '') =>
  `From: Ana <ana@example.net>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n${more}\r\nHello ${subject}\r\n`

/** What each source of mail does, whatever its server is like (src/service/connections/source/mail-source.ts). */
describe.each(Object.entries(grounds))('a source of mail: %s', (name, begin) => {
  if (!begin) return it.skip('has no Dovecot here', () => {})
  const isMute = name.endsWith('IMAP4rev1 alone')
  let ground: Ground
  let source: MailSource
  const odd = '\x80\xe9\xff'
  beforeAll(async () => {
    ground = await begin()
    await ground.put('INBOX', mailOf('one'))
    await ground.put('INBOX', mailOf('two', `X-Long: ${'a'.repeat(70_000)}\r\n`), ['\\Answered'])
    await ground.put('INBOX', mailOf('three'), ['\\Seen'])
    source = await ground.open()
  })
  afterAll(async () => {
    source?.close()
    await ground?.[Symbol.asyncDispose]()
  })

  const textOf = (bytes: Uint8Array | null) => Buffer.from(bytes ?? '').toString('latin1')
  const uidsOf = async (folder = 'INBOX') => source.list(folder, 0, null)

  it('names folders, INBOX among them', async () => {
    const folders = await source.folders()
    expect(folders).toContainEqual({ path: 'INBOX', role: 'inbox' })
    expect(folders.map(({ path }) => path)).toContain('Sent')
  })

  it('has a state, above whose UIDs nothing is', async () => {
    const { uidValidity, uidNext } = await source.state('INBOX')
    expect(uidValidity).toMatch(/^\d+$/)
    const uids = await uidsOf()
    expect(uids).toHaveLength(3)
    expect(uids).toEqual(uids.toSorted((a, b) => a - b))
    expect(uidNext).toBeGreaterThan(uids.at(-1)!)
    expect(await source.list('INBOX', uids[0]!, null)).toEqual(uids.slice(1))
    expect(await source.list('INBOX', uids.at(-1)!, null)).toEqual([])
    expect(await source.state('Sent')).toMatchObject({ uidNext: expect.any(Number) })
  })

  it('says that a folder is not there', async () => {
    const failure = source.list('No such folder', 0, null)
    await expect(failure).rejects.toMatchObject({ name: 'MailSourceError', kind: 'no_folder' })
    expect(await uidsOf()).toHaveLength(3)
  })

  it('describes mails in the order of their UIDs, what is small whole', async () => {
    const uids = await uidsOf()
    const mails = await source.describe('INBOX', uids)
    expect(mails.map(({ uid }) => uid)).toEqual(uids)
    const [one, two] = mails
    expect(textOf(one!.raw)).toBe(mailOf('one'))
    expect(textOf(one!.header)).toContain('Subject: one\r\n')
    expect(one!.size).toBe(mailOf('one').length)
    expect([one!.isAnswered, two!.isAnswered]).toEqual([false, true])
    expect([two!.raw, two!.size > 70_000]).toEqual([null, true])
    const known = mails.every(({ arrivedAt }) => arrivedAt === null || arrivedAt.getTime() > 0)
    expect(known).toBe(true)
  })

  it('describes without bytes beyond the header, where no more is asked for', async () => {
    const [uid] = await uidsOf()
    const [one] = await source.describe('INBOX', [uid!], 'header')
    expect([one!.raw, textOf(one!.header).includes('Subject: one\r\n')]).toEqual([null, true])
    expect(textOf(one!.header)).not.toContain('Hello')
  })

  it('leaves out what is gone', async () => {
    const uids = await uidsOf()
    const mails = await source.describe('INBOX', [uids[0]!, 4_000])
    expect(mails.map(({ uid }) => uid)).toEqual([uids[0]])
    expect(await source.read('INBOX', 4_000, 1_000)).toBe(null)
    expect(await source.describe('INBOX', [])).toEqual([])
  })

  it('reads as many bytes as are asked for, and marks nothing as read', async () => {
    const [, uid] = await uidsOf()
    const all = await source.read('INBOX', uid!, 1_000_000)
    expect(textOf(all).length).toBeGreaterThan(70_000)
    expect(textOf(await source.read('INBOX', uid!, 1_000))).toBe(textOf(all).slice(0, 1_000))
    expect(await ground.flagsOf('two')).not.toContain('\\Seen')
    expect(await ground.flagsOf('one')).not.toContain('\\Seen')
  })

  it('finds a mail by its Message-ID', async () => {
    const [one] = await uidsOf()
    expect(await source.find('INBOX', '<one@example.net>')).toEqual([one])
    expect(await source.find('INBOX', '<none@example.net>')).toEqual([])
  })

  it('adds flags and mails', async () => {
    const [one] = await uidsOf()
    await source.flag('INBOX', [one!], ['\\Answered', 'handled'])
    expect(await ground.flagsOf('one')).toContain('\\Answered')
    expect(await ground.flagsOf('one')).not.toContain('\\Seen')
    const raw = mailOf('copy').replace('Hello', `Hello ${odd}`)
    await source.append('Sent', Buffer.from(raw, 'latin1'), ['\\Seen'], new Date())
    const [uid] = await source.find('Sent', '<copy@example.net>')
    expect(textOf(await source.read('Sent', uid!, 10_000))).toBe(raw)
  })

  it('tells of what comes while it waits, and gives it in one go', async () => {
    const before = (await uidsOf()).at(-1)!
    const looking = new AbortController()
    const waiting = source.wait('INBOX', looking.signal)
    await ground.put('INBOX', mailOf('four'))
    // Without IDLE it is told of nothing: whoever waits looks by themselves.
    if (isMute) looking.abort()
    await waiting
    const news = (await source.newest('INBOX', before)) ?? []
    const uids = await source.list('INBOX', before, null)
    const mails = news.length > 0 ? news : await source.describe('INBOX', uids)
    expect(mails.map(({ raw }) => textOf(raw))).toEqual([mailOf('four')])
  })

  it('ends a wait when it is asked to', async () => {
    const ending = new AbortController()
    const waiting = source.wait('INBOX', ending.signal)
    ending.abort()
    await waiting
    expect((await uidsOf()).length).toBe(4)
  })

  it('knows what another client took away', async () => {
    const uid = (await uidsOf()).at(-1)!
    await ground.remove('four')
    expect(await source.describe('INBOX', [uid])).toEqual([])
    expect(await source.read('INBOX', uid, 1_000)).toBe(null)
  })

  it('rejects once it is lost, also what waits', async () => {
    await uidsOf()
    const waiting = source.wait('INBOX', signal)
    const said = expect(waiting).rejects.toMatchObject({ name: 'MailSourceError', kind: 'lost' })
    ground.kickAll()
    await said
    await expect(source.list('INBOX', 0, null)).rejects.toMatchObject({ kind: 'lost' })
  })
})
