import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** What this server does with the mail of a UID that it holds and does not give. */
export type Refusal =
  /** It answers `NO`. */
  | 'no'
  /** It ends the connection. */
  | 'break'
  /** It announces more bytes than there are in the world. */
  | 'endless'
  /** It answers with what no parser reads, and `OK`. */
  | 'garbage'
  /** It answers with NIL for its bytes. */
  | 'nil'
  /** It gives header and flags, and ends the connection when it is asked for more. */
  | 'body'

/** The ways in which it differs from what one expects. */
export interface ImapOddities {
  /** Offered after the login; `IMAP4rev1` stands before. */
  capabilities?: string
  /** Nobody is told of capabilities before the login. */
  capabilitiesAfterLogin?: boolean
  /** Lines that nobody asked for stand among all answers. */
  noise?: boolean
  /** What it says of UIDNEXT; null for nothing. */
  uidNext?: number | null
  uidValidity?: number
  /** What it gives for INTERNALDATE. */
  internalDate?: string
  /** Small bodies come as quoted strings, where that can be. */
  quotes?: boolean
  /** Without: there is a folder Sent from the start. */
  sent?: false
  /** The rows of FETCH come with the last one first. */
  backwards?: boolean
}

interface Stored {
  uid: number
  raw: Buffer
  flags: Set<string>
  at: string
}

/** An IMAP server within this process that does what a test wants, also what no server should. */
export interface ScriptedImap extends AsyncDisposable {
  port: number
  /** What it refuses to give, by UID of INBOX. */
  refusals: Map<number, Refusal>
  /** True while it answers NO to every FETCH. */
  isDown: boolean
  /** The commands that it was given, without their tags. */
  readonly commands: string[]
  /** The logins that it was given: `LOGIN user password`, or what XOAUTH2 says. */
  readonly logins: string[]
  /** Who is let in; everybody, where it is not set. */
  admits(login: string): boolean
  /** Resolves before each answer to FETCH. */
  beforeFetch(): Promise<void>
  /** The connections that there are now. */
  readonly connections: number
  /** Puts a mail into a folder, which is made where there is none. @param at Its INTERNALDATE; now, where none is given. */
  append(raw: string | Buffer, folder?: string, flags?: string[], at?: string): number
  mails(folder?: string): readonly { uid: number; raw: Buffer; flags: ReadonlySet<string> }[]
  remove(uid: number, folder?: string): void
  kickAll(): void
  /** Writes this to every connection, whether anybody asked or not. */
  sayToAll(text: string): void
}

/** Now, as INTERNALDATE writes it (RFC 9051 section 9): mail that a test puts in is new on whichever day it runs. */
function internalNow(): string {
  const [, day, month, year, time] = new Date().toUTCString().split(' ')
  return `${day}-${month}-${year} ${time} +0000`
}

const inRange = (set: string, uid: number, last: number) =>
  set.split(',').some((part) => {
    const [from, to = from] = part.split(':').map((end) => (end === '*' ? last : Number(end)))
    return uid >= Math.min(from!, to!) && uid <= Math.max(from!, to!)
  })

const headerOf = (raw: Buffer) => {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.subarray(0, end + 4)
}

/** Starts one with the folders INBOX and Sent. */
export async function startScriptedImap(odd: ImapOddities = {}): Promise<ScriptedImap> {
  const folders = new Map<string, Stored[]>([['INBOX', []]])
  if (odd.sent !== false) folders.set('Sent', [])
  const next = new Map<string, number>()
  const refusals = new Map<number, Refusal>()
  const commands: string[] = []
  const logins: string[] = []
  const sockets = new Set<Socket>()
  /** Those that hear of new mail, by folder. */
  const watching = new Map<Socket, { folder: string; seen: number }>()
  const after = ` ${odd.capabilities ?? 'IDLE UIDPLUS SPECIAL-USE LITERAL+'}`
  const capabilities = `IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR${after}`.trimEnd()
  const uidValidity = odd.uidValidity ?? 7
  const nextOf = (folder: string) => next.get(folder) ?? 1
  const saidNext = (folder: string) => (odd.uidNext === undefined ? nextOf(folder) : odd.uidNext)
  const state = { isDown: false, admits: (_login: string) => true, beforeFetch: async () => {} }

  function tell(folder: string) {
    for (const [socket, watched] of watching) {
      const { length } = folders.get(folder)!
      if (watched.folder !== folder || watched.seen === length) continue
      watched.seen = length
      socket.write(`* ${length} EXISTS\r\n`)
    }
  }

  function put(folder: string, raw: Buffer, flags: string[], at = internalNow()): number {
    if (!folders.has(folder)) folders.set(folder, [])
    const uid = nextOf(folder)
    next.set(folder, uid + 1)
    folders.get(folder)!.push({ uid, raw, flags: new Set(flags), at })
    tell(folder)
    return uid
  }

  const bytesOf = (bytes: Buffer) =>
    odd.quotes && bytes.length < 1_000 && !/["\\\r\n\0]|[^\x20-\x7e]/.test(bytes.toString('latin1'))
      ? Buffer.from(`"${bytes.toString('latin1')}"`)
      : Buffer.concat([Buffer.from(`{${bytes.length}}\r\n`), bytes])

  function row(index: number, { uid, raw, flags, at }: Stored, items: string): Buffer {
    const parts = [Buffer.from(`* ${index + 1} FETCH (UID ${uid}`)]
    const add = (name: string, value: string | Buffer) =>
      parts.push(Buffer.from(` ${name} `), Buffer.from(value))
    if (items.includes('FLAGS')) add('FLAGS', `(${[...flags].join(' ')})`)
    if (items.includes('INTERNALDATE')) add('INTERNALDATE', `"${odd.internalDate ?? at}"`)
    if (items.includes('RFC822.SIZE')) add('RFC822.SIZE', String(raw.length))
    const section = /BODY\.PEEK\[(HEADER)?\](?:<(\d+)\.(\d+)>)?/.exec(items)
    if (section) {
      const [, header, start, length] = section
      const all = header ? headerOf(raw) : raw
      const part = start === undefined ? all : all.subarray(Number(start), Number(start) + Number(length))
      const name = `BODY[${header ?? ''}]${start === undefined ? '' : `<${start}>`}`
      if (refusals.get(uid) === 'nil') add(name, 'NIL')
      else add(name, bytesOf(part))
    }
    parts.push(Buffer.from(')\r\n'))
    return Buffer.concat(parts)
  }

  /** Gives what is asked for up to what is refused. */
  function fetch(socket: Socket, tag: string, folder: string, set: string, items: string): void {
    if (state.isDown) return void socket.write(`${tag} NO [UNAVAILABLE] Try later\r\n`)
    const all = folders.get(folder)!
    const last = all.at(-1)?.uid ?? 0
    const asked = all.filter(({ uid }) => inRange(set, uid, last))
    for (const mail of odd.backwards ? asked.reverse() : asked) {
      const refusal = folder === 'INBOX' ? refusals.get(mail.uid) : undefined
      const wantsBody = items.includes('BODY.PEEK[]')
      if (refusal === 'no') return void socket.write(`${tag} NO [SERVERBUG] Internal error\r\n`)
      if (refusal === 'break' || (refusal === 'body' && wantsBody)) return void socket.destroy()
      if (refusal === 'endless')
        return void socket.write(`* ${all.indexOf(mail) + 1} FETCH (UID ${mail.uid} BODY[] {99999999999}\r\n`)
      if (refusal === 'garbage') socket.write(`* ${all.indexOf(mail) + 1} FETCH (UID ${mail.uid} )( "\r\n`)
      else socket.write(row(all.indexOf(mail), mail, items))
    }
    socket.write(`${tag} OK Done\r\n`)
  }

  function search(folder: string, query: string): number[] {
    const all = folders.get(folder)!
    const last = all.at(-1)?.uid ?? 0
    const set = /(?:^| )UID (\S+)/.exec(query)?.[1]
    const id = /HEADER "?message-id"? "?(<[^>"]+>)"?/i.exec(query)?.[1]
    return all
      .filter(({ uid }) => !set || inRange(set, uid, last))
      .filter(({ raw }) => !id || headerOf(raw).toString().includes(id))
      .map(({ uid }) => uid)
  }

  const server = createServer((socket) => {
    // Answers are written in pieces, each of which would wait for the other end to have taken the one before.
    sockets.add(socket.setNoDelay(true))
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      watching.delete(socket)
    })
    let folder = 'INBOX'
    let idleTag = ''
    let authTag = ''
    let buffered = Buffer.alloc(0)
    const ok = (tag: string, text = 'Done') => socket.write(`${tag} OK ${text}\r\n`)
    socket.write(
      odd.capabilitiesAfterLogin ? '* OK Hello\r\n' : `* OK [CAPABILITY ${capabilities}] Hello\r\n`,
    )

    function login(tag: string, reported: string) {
      logins.push(reported)
      if (!state.admits(reported)) return void socket.write(`${tag} NO [AUTHENTICATIONFAILED] Not you\r\n`)
      ok(tag, odd.capabilitiesAfterLogin ? 'In' : `[CAPABILITY ${capabilities}] In`)
    }
    const loginBy = (tag: string, text: string) =>
      login(
        tag,
        Buffer.from(text, 'base64')
          .toString()
          .replace(/[^ -~]+/g, ' ')
          .trim(),
      )

    const unquoted = (text: string) => text.trim().replace(/^"|"$/g, '')

    /** Carries out a command; the size of the literal that it still wants, where it wants one. */
    function run(line: string, literal?: Buffer): number | null {
      if (idleTag) {
        watching.delete(socket)
        ok(idleTag)
        idleTag = ''
        return null
      }
      if (authTag) {
        loginBy(authTag, line)
        authTag = ''
        return null
      }
      const [, tag = '', name = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?([\s\S]*)$/i.exec(line) ?? []
      if (!literal) commands.push(`${name} ${rest}`.trim())
      if (odd.noise)
        socket.write(
          '* OK Still here\r\n* 99 FETCH (FLAGS (\\Seen))\r\n* X-NOISE (a "b")\r\n* FLAGS (\\Seen)\r\n',
        )
      switch (name.toUpperCase()) {
        case 'CAPABILITY':
          socket.write(`* CAPABILITY ${capabilities}\r\n`)
          ok(tag)
          break
        case 'LOGIN':
          login(tag, `LOGIN ${rest.replaceAll('"', '')}`)
          break
        case 'AUTHENTICATE': {
          const [, initial] = rest.split(' ')
          if (initial !== undefined) loginBy(tag, initial)
          else {
            authTag = tag
            socket.write('+ \r\n')
          }
          break
        }
        case 'LIST':
          if (rest === '"" ""') socket.write('* LIST (\\Noselect) "/" ""\r\n')
          else
            for (const path of folders.keys()) {
              const isSpecial = path === 'Sent' && after.includes('SPECIAL-USE')
              socket.write(`* LIST (\\HasNoChildren${isSpecial ? ' \\Sent' : ''}) "/" ${path}\r\n`)
            }
          ok(tag)
          break
        case 'SELECT':
        case 'EXAMINE': {
          const path = unquoted(rest.split(' (')[0]!)
          if (!folders.has(path)) {
            socket.write(`${tag} NO No such folder\r\n`)
            break
          }
          folder = path
          const said = saidNext(path)
          socket.write(
            `* FLAGS (\\Seen \\Answered)\r\n* OK [PERMANENTFLAGS (\\Seen \\Answered \\*)] F\r\n* ${folders.get(path)!.length} EXISTS\r\n* OK [UIDVALIDITY ${uidValidity}] V\r\n`,
          )
          if (said !== null) socket.write(`* OK [UIDNEXT ${said}] N\r\n`)
          ok(tag, '[READ-WRITE] Open')
          break
        }
        case 'STATUS': {
          const path = unquoted(rest.split(' (')[0]!)
          const said = saidNext(path)
          if (!folders.has(path)) socket.write(`${tag} NO No such folder\r\n`)
          else {
            socket.write(
              `* STATUS ${path} (MESSAGES ${folders.get(path)!.length} UIDVALIDITY ${uidValidity}${said === null ? '' : ` UIDNEXT ${said}`})\r\n`,
            )
            ok(tag)
          }
          break
        }
        case 'UID SEARCH':
          socket.write(`* SEARCH ${search(folder, rest).reverse().join(' ')}`.trimEnd())
          socket.write('\r\n')
          ok(tag)
          break
        case 'UID FETCH': {
          const [set = '', ...items] = rest.split(' ')
          const path = folder
          void state.beforeFetch().then(() => fetch(socket, tag, path, set, items.join(' ')))
          break
        }
        case 'UID STORE': {
          const [set = '', , ...flags] = rest.split(' ')
          const all = folders.get(folder)!
          for (const { uid, flags: own } of all)
            if (inRange(set, uid, all.at(-1)!.uid))
              for (const flag of flags.join(' ').replace(/[()]/g, '').split(' ')) own.add(flag)
          ok(tag)
          break
        }
        case 'APPEND': {
          const [, path = '', flags = '', size] =
            /^("[^"]*"|\S+) (?:\(([^)]*)\) )?(?:"[^"]*" )?\{(\d+)\+?\}$/.exec(rest) ?? []
          if (!literal) return Number(size)
          if (!folders.has(unquoted(path))) {
            socket.write(`${tag} NO [TRYCREATE] No such folder\r\n`)
            break
          }
          put(unquoted(path), literal, flags.split(' ').filter(Boolean))
          ok(tag)
          break
        }
        case 'IDLE':
          idleTag = tag
          watching.set(socket, { folder, seen: -1 })
          socket.write('+ idling\r\n')
          tell(folder)
          break
        case 'NOOP':
          socket.write(`* ${folders.get(folder)!.length} EXISTS\r\n`)
          ok(tag)
          break
        case 'LOGOUT':
          socket.end(`* BYE\r\n${tag} OK\r\n`)
          break
        default:
          socket.write(`${tag} BAD Unknown\r\n`)
      }
      return null
    }

    let pending: { line: string; size: number } | undefined
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      for (;;) {
        if (pending) {
          const { line, size } = pending
          // The line ends after the literal.
          if (buffered.length < size + 2) return
          const literal = buffered.subarray(0, size)
          buffered = buffered.subarray(size + 2)
          pending = undefined
          run(line, literal)
          continue
        }
        const end = buffered.indexOf('\r\n')
        if (end < 0) return
        const line = buffered.subarray(0, end).toString('latin1')
        buffered = buffered.subarray(end + 2)
        const size = run(line)
        if (size === null) continue
        pending = { line, size }
        if (!line.endsWith('+}')) socket.write('+ go on\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const scripted: ScriptedImap = {
    port: (server.address() as { port: number }).port,
    refusals,
    commands,
    logins,
    get isDown() {
      return state.isDown
    },
    set isDown(value) {
      state.isDown = value
    },
    get admits() {
      return state.admits
    },
    set admits(value) {
      state.admits = value
    },
    get beforeFetch() {
      return state.beforeFetch
    },
    set beforeFetch(value) {
      state.beforeFetch = value
    },
    get connections() {
      return sockets.size
    },
    append: (raw, folder = 'INBOX', flags = [], at = internalNow()) =>
      put(folder, Buffer.from(raw), flags, at),
    mails: (folder = 'INBOX') => folders.get(folder)!,
    remove(uid, folder = 'INBOX') {
      const all = folders.get(folder)!
      const index = all.findIndex((one) => one.uid === uid)
      all.splice(index, 1)
      for (const [socket, watched] of watching)
        if (watched.folder === folder) {
          watched.seen = all.length
          socket.write(`* ${index + 1} EXPUNGE\r\n`)
        }
    },
    sayToAll(text) {
      for (const socket of sockets) socket.write(text)
    },
    kickAll() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      scripted.kickAll()
      server.close()
      await once(server, 'close')
    },
  }
  return scripted
}
