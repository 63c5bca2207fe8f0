import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../bench/ports.mjs'

const binary = '/usr/sbin/dovecot'

/** Whether Dovecot is installed: `.ci/run` does that. */
export const hasDovecot = existsSync(binary) && existsSync('/usr/lib/dovecot/imap')

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

export const mailboxUser = 'kim@company.test'
export const mailboxPassword = 'pass-word-1'

/** A Dovecot of its own, on loopback, with a folder of its own. */
export interface Dovecot extends AsyncDisposable {
  readonly port: number
  /** Starts it; after `kill` it has the same port and mail. */
  start(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Ends every connection to it, and nothing else. */
  kickAll(): void
  /** Puts a mail into a folder, as a program that delivers mail does. */
  deliver(folder: string, raw: string | Uint8Array): void
  /** Gives a folder another UIDVALIDITY: UIDs begin anew. */
  resetUids(folder: string): void
}

const configOf = (root: string, port: number, capabilities: string | undefined) => {
  const user = userInfo().uid === 0 ? 'nobody' : userInfo().username
  const group = userInfo().uid === 0 ? 'nogroup' : execFileSync('id', ['-gn']).toString().trim()
  return `
base_dir = ${root}/run
state_dir = ${root}/state
log_path = ${root}/log
ssl = no
protocols = imap
disable_plaintext_auth = no
mail_location = maildir:${root}/mail
mail_uid = ${user}
mail_gid = ${group}
first_valid_uid = 1
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
mailbox_idle_check_interval = 2 secs
auth_mechanisms = plain login
passdb {
  driver = static
  args = nopassword=n password=${mailboxPassword}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${root}/home
}
protocol imap {
  mail_max_userip_connections = 50
  ${capabilities ? `imap_capability = ${capabilities}` : ''}
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Archive {
    auto = create
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`
}

/** Makes a Dovecot. @param withoutCondstore It does not offer CONDSTORE, QRESYNC and the like. */
export async function createDovecot({ withoutCondstore = false } = {}): Promise<Dovecot> {
  const root = mkdtempSync(join(tmpdir(), 'restante-dovecot-'))
  chmodSync(root, 0o755)
  const owner =
    userInfo().uid === 0 &&
    ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody']).toString()))
  const own = (path: string) => {
    if (owner) chownSync(path, owner[0]!, owner[1]!)
  }
  for (const folder of ['mail', 'home', 'run', 'state']) {
    mkdirSync(join(root, folder))
    if (folder !== 'run') own(join(root, folder))
  }
  const port = await freePort()
  const plain =
    'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SPECIAL-USE UIDPLUS LITERAL+ NAMESPACE UNSELECT'
  writeFileSync(join(root, 'dovecot.conf'), configOf(root, port, withoutCondstore ? plain : undefined))
  let process_: ChildProcess | undefined
  let failure = ''

  async function start(): Promise<void> {
    rmSync(join(root, 'run'), { recursive: true, force: true })
    mkdirSync(join(root, 'run'))
    process_ = spawn(binary, ['-F', '-c', join(root, 'dovecot.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    process_.stderr!.on('data', (data) => {
      failure += data
    })
    for (let i = 0; i < 400; i++) {
      if (await answers(port)) return
      await delay(25)
    }
    throw new Error(`Dovecot did not start: ${failure} ${readFileSync(join(root, 'log'), 'utf8')}`)
  }

  const children = () => {
    const pid = process_?.pid
    if (pid === undefined) return []
    try {
      return execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)])
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/) as [string, string])
    } catch {
      return []
    }
  }

  async function kill(): Promise<void> {
    const one = process_
    if (!one || one.exitCode !== null || one.signalCode !== null) return
    const ended = once(one, 'exit')
    // All of its group at once: a child that it starts meanwhile would outlive it, and write on.
    signal(-one.pid!)
    await ended
    for (let i = 0; i < 100 && runs(-one.pid!); i++) await delay(20)
  }

  const pathOf = (folder: string) =>
    folder === 'INBOX' ? join(root, 'mail') : join(root, 'mail', `.${folder}`)
  let delivered = 0

  return {
    port,
    start,
    deliver(folder, raw) {
      const path = pathOf(folder)
      const name = `${Math.floor(Date.now() / 1_000)}.${process.pid}_${delivered++}.test`
      for (const part of ['.', 'tmp', 'new', 'cur']) {
        if (existsSync(join(path, part))) continue
        mkdirSync(join(path, part), { recursive: true })
        own(join(path, part))
      }
      writeFileSync(join(path, 'tmp', name), raw)
      own(join(path, 'tmp', name))
      renameSync(join(path, 'tmp', name), join(path, 'new', name))
    },
    kill,
    kickAll() {
      for (const [pid, name] of children()) if (name.startsWith('imap')) signal(Number(pid))
    },
    resetUids(folder) {
      const path = pathOf(folder)
      for (const file of ['dovecot-uidlist', 'dovecot.index', 'dovecot.index.log', 'dovecot.index.cache'])
        rmSync(join(path, file), { force: true })
    },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
