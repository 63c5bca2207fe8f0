import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createService } from 'restante/service'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, untilListening } from '../bench/ports.mjs'
import { createSelfSigned } from '../src/service/inbound/smtp/certificate'
import { anyPorts, cli, start } from './cli/support/cli'
import { findProgram, isMissing } from './support/program'
import { temporaryFolder } from './support/temporary-folder'

const page = readFileSync(join(import.meta.dirname, '../docs/deploying.md'), 'utf8')
const sbin = ['/usr/sbin']

/** The block of the page in this language. */
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? expect.fail(`no block of ${language}`)

/** Replaces words of a block, each of which must be there. */
const replaced = (block: string, words: Record<string, string>): string =>
  Object.entries(words).reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, block)

/** Starts a program that listens on the port until the test ends. */
async function startProgram(
  name: string,
  args: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<void> {
  const child = spawn(findProgram(name, sbin)!, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  if (!(await untilListening(port, child))) expect.fail(`${name} ended: ${complaints}`)
}

const proxies = {
  async nginx(servicePort: number) {
    const [folder, port] = [await temporaryFolder(), await freePort()]
    const { key, cert } = createSelfSigned('mail.example.com')
    await writeFile(join(folder, 'fullchain.pem'), cert)
    await writeFile(join(folder, 'privkey.pem'), key)
    const server = replaced(blockOf('nginx'), {
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '/etc/letsencrypt/live/mail.example.com': folder,
      '127.0.0.1:4525': `127.0.0.1:${servicePort}`,
    })
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    // Workers of nginx give root up, and could not open the folder.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const config = `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}
http { access_log off; ${paths.join(' ')}
${server} }`
    await writeFile(join(folder, 'nginx.conf'), config)
    await startProgram('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], port)
    return `https://127.0.0.1:${port}`
  },
  async caddy(servicePort: number) {
    const [folder, port] = [await temporaryFolder(), await freePort()]
    const site = replaced(blockOf('caddyfile'), {
      // A public certificate needs a public name.
      'mail.example.com': `http://127.0.0.1:${port}`,
      '127.0.0.1:4525': `127.0.0.1:${servicePort}`,
    })
    await writeFile(join(folder, 'Caddyfile'), `{\n admin off\n}\n${site}`)
    await startProgram('caddy', ['run', '--config', join(folder, 'Caddyfile')], port)
    return `http://127.0.0.1:${port}`
  },
}

describe.each(['nginx', 'caddy'] as const)(
  'the service behind %s, set up as docs/deploying.md shows',
  (name) => {
    let service: Awaited<ReturnType<typeof createService>>
    let port: number
    let apiKey: string
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
    beforeAll(async () => {
      service = await createService({ http: '127.0.0.1:0', smtp: 'off', trustProxy: '1', log: 'silent' })
      port = Number(new URL((await service.listen()).url).port)
      apiKey = (await service.home()).apiKey
    })
    afterAll(async () => {
      await service.close()
      await dispatcher.close()
    })

    it.skipIf(isMissing(name, sbin))('answers requests, large uploads and WebSockets', async () => {
      const url = await proxies[name](port)
      const authorization = `Bearer ${apiKey}`
      const account = await fetch(`${url}/v1/account`, { headers: { authorization }, dispatcher })
      expect([account.status, await account.json()]).toMatchObject([200, { capabilities: { send: true } }])

      const upload = await fetch(`${url}/v1/uploads?filename=large.bin`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/octet-stream' },
        body: Buffer.alloc(20 * 1024 * 1024),
        dispatcher,
      })
      expect([upload.status, await upload.json()]).toMatchObject([201, { size: 20 * 1024 * 1024 }])

      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime`, {
        headers: { authorization },
        rejectUnauthorized: false,
      })
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      const answer = once(socket, 'message')
      socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
      expect(JSON.parse(String((await answer)[0]))).toMatchObject({ type: expect.any(String) })
    })
  },
)

/** Starts an ACME server that believes every claim of a domain. */
async function startPebble(folder: string) {
  const [port, management] = [await freePort(), await freePort()]
  const { key, cert } = createSelfSigned('127.0.0.1')
  const [certificate, privateKey] = [join(folder, 'acme.pem'), join(folder, 'acme-key.pem')]
  await writeFile(certificate, cert)
  await writeFile(privateKey, key)
  const listenAddress = `127.0.0.1:${port}`
  const managementListenAddress = `127.0.0.1:${management}`
  const pebble = {
    listenAddress,
    managementListenAddress,
    certificate,
    privateKey,
    httpPort: 80,
    tlsPort: 443,
  }
  const config = join(folder, 'pebble.json')
  await writeFile(config, JSON.stringify({ pebble }))
  await startProgram('pebble', ['-config', config], port, {
    PEBBLE_VA_ALWAYS_VALID: '1',
    PEBBLE_VA_NOSLEEP: '1',
    // By default it refuses one good nonce in twenty, and certbot gives up after the second.
    PEBBLE_WFE_NONCEREJECT: '0',
  })
  return `https://${listenAddress}/dir`
}

const run = async (command: string, env: Record<string, string> = {}) => {
  const ended = await start('sh', ['-c', command], { env }).ended
  expect(ended, command).toMatchObject({ code: 0 })
}

it.skipIf(isMissing('certbot') || isMissing('pebble'))(
  'certbot gives the service a certificate, and each renewal as well, by the hook of docs/deploying.md',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder()
    const tls = join(folder, 'tls')
    const serve = async (args: readonly string[]) => {
      const service = cli(['serve', '--json', '--data', join(folder, 'data'), ...anyPorts, ...args])
      await service.out(/^.*\n/)
      return service
    }
    const running = await serve([])
    const server = await startPebble(folder)
    const folders = ['config', 'work', 'logs'].map((name) => `--${name}-dir ${join(folder, name)}`).join(' ')
    const unattended = `-n --no-verify-ssl --http-01-port ${await freePort()} ${folders}`
    const issue = (text: string, pid: number | undefined) =>
      replaced(text, {
        'certbot certonly': `certbot certonly --server ${server} --agree-tos --register-unsafely-without-email ${unattended}`,
        '-o restante': '',
        '/var/lib/restante/tls': tls,
        'systemctl reload restante': `kill -HUP ${pid}`,
      })
    const block = /```sh\n(certbot .*?)```/s.exec(page)?.[1] ?? expect.fail('no certbot')
    await run(issue(block, running.child.pid))
    await running.line({ event: 'no_certificate' })
    expect(await running.kill('SIGTERM')).toMatchObject({ code: 0 })

    const ini = /```ini\n(RESTANTE_SMTP_CERTIFICATE.*?)```/s.exec(page)?.[1] ?? expect.fail('no settings')
    const env = Object.fromEntries(
      replaced(ini, { '/var/lib/restante/tls': tls })
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    const first = readFileSync(env.RESTANTE_SMTP_CERTIFICATE!, 'utf8')
    expect([first, statSync(env.RESTANTE_SMTP_KEY!).mode & 0o777]).toEqual([
      expect.stringMatching(/BEGIN CERT/),
      0o600,
    ])
    const again = await serve([
      '--smtp-certificate',
      env.RESTANTE_SMTP_CERTIFICATE!,
      '--smtp-key',
      env.RESTANTE_SMTP_KEY!,
    ])
    await run(issue(`${block.trim()} --force-renewal`, again.child.pid))
    await again.line({ event: 'certificate_reloaded' })
    expect(readFileSync(env.RESTANTE_SMTP_CERTIFICATE!, 'utf8')).not.toBe(first)
    // The hook is kept for every later renewal.
    await run(`certbot renew --force-renewal --no-random-sleep-on-renew ${unattended}`)
    expect(again.text.match(/certificate_reloaded/g)).toHaveLength(2)
  },
)
