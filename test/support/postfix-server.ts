import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { freePort, untilListening } from '../../bench/ports.mjs'
import { createSelfSigned } from '../../src/service/inbound/smtp/certificate'
import { findProgram } from './program'

const program = findProgram('postfix', ['/usr/sbin'])

/** Postfix changes users, which only root may. */
export const postfixIsMissing = (): boolean => !program || process.getuid?.() !== 0

const services = `
cleanup   unix       n - n - 0 cleanup
qmgr      unix       n - n 1 1 qmgr
tlsmgr    unix       - - n 1000? 1 tlsmgr
rewrite   unix       - - n - - trivial-rewrite
bounce    unix       - - n - 0 bounce
defer     unix       - - n - 0 bounce
trace     unix       - - n - 0 bounce
verify    unix       - - n - 1 verify
proxymap  unix       - - n - - proxymap
smtp      unix       - - n - - smtp
error     unix       - - n - - error
retry     unix       - - n - - error
virtual   unix       - n n - - virtual
anvil     unix       - - n - 1 anvil
scache    unix       - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
`

/** A Postfix that runs, for the domain `there.test`. */
export interface PostfixServer {
  port: number
  /** The authority that vouches for `mx.there.test`, as PEM. */
  ca: string
  /** The mails of a mailbox. */
  mails(name: string): Promise<string[]>
}

export interface PostfixServerOptions {
  mailboxes: readonly string[]
  /** More lines of `main.cf`. */
  settings?: readonly string[]
}

/** Runs a whole Postfix with STARTTLS in a folder of its own until the test ends. */
export async function startPostfix({
  mailboxes,
  settings = [],
}: PostfixServerOptions): Promise<PostfixServer> {
  const folder = await mkdtemp(join(tmpdir(), 'postfix-'))
  await chmod(folder, 0o755)
  const at = (name: string) => join(folder, name)
  for (const name of ['conf', 'spool', 'data', 'mail']) await mkdir(at(name))
  const port = await freePort()
  const certificate = createSelfSigned('mx.there.test')
  await writeFile(at('key.pem'), certificate.key, { mode: 0o600 })
  await writeFile(at('cert.pem'), certificate.cert)
  const nobody = 65_534
  await chown(at('mail'), nobody, nobody)
  await chown(at('data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
  const main = [
    'compatibility_level = 3.6',
    'myhostname = mx.there.test',
    'mydestination =',
    'alias_maps =',
    'local_recipient_maps =',
    `queue_directory = ${at('spool')}`,
    `data_directory = ${at('data')}`,
    `maillog_file = ${at('log')}`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'smtp_host_lookup = native',
    'virtual_mailbox_domains = there.test',
    `virtual_mailbox_base = ${at('mail')}`,
    `virtual_mailbox_maps = inline:{ ${mailboxes.map((name) => `{${name}@there.test = ${name}/}`).join(', ')} }`,
    `virtual_uid_maps = static:${nobody}`,
    `virtual_gid_maps = static:${nobody}`,
    `smtpd_tls_cert_file = ${at('cert.pem')}`,
    `smtpd_tls_key_file = ${at('key.pem')}`,
    'smtpd_tls_security_level = may',
    'smtpd_tls_received_header = yes',
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtp_tls_security_level = may',
    ...settings,
  ]
  await writeFile(at('conf/main.cf'), `${main.join('\n')}\n`)
  await writeFile(at('conf/master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${services}`)
  const child = spawn(program!, ['-c', at('conf'), 'start-fg'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    // The master makes a session of its own, which no signal to the script reaches.
    await promisify(execFile)(program!, ['-c', at('conf'), 'stop']).catch(() => {})
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  if (!(await untilListening(port, child)))
    throw new Error(
      `postfix ended with ${child.exitCode}: ${await readFile(at('log'), 'utf8').catch(() => '')}`,
    )
  return {
    port,
    ca: certificate.cert,
    async mails(name) {
      const inbox = join(at('mail'), name, 'new')
      const names = await readdir(inbox).catch(() => [])
      return Promise.all(names.map((one) => readFile(join(inbox, one), 'utf8')))
    },
  }
}
