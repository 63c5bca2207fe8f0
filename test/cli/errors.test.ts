import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyPorts, cli, type Ended, runCli, startDev, temporaryFolder } from './support/cli'

/** One line on standard error that says this, and nothing else. */
const refusal = (words: RegExp) => ({
  code: 1,
  out: '',
  err: expect.stringMatching(new RegExp(`^restante: [^\\n]*${words.source}[^\\n]*\\n$`)),
})

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Command = 'dev' | 'serve'
const run = async (command: Command, args: string[], env?: Record<string, string>): Promise<Ended> =>
  runCli([command, '--data', await temporaryFolder(), ...anyPorts, ...args], { env })

describe('restante, starting a service, says in one line what to do about', () => {
  it.each(['dev', 'serve'] as const)('a port in use (%s)', async (command) => {
    const port = await takenPort()
    const here = `127.0.0.1:${port}`
    expect(await run(command, ['--http', here])).toEqual(
      refusal(/Port \d+ on 127\.0\.0\.1 is in use\. Choose another with --http/),
    )
    expect(await run(command, ['--smtp', here])).toEqual(refusal(/is in use\. Choose another with --smtp/))
  })

  it('an address that is not here', async () => {
    const words = /Port 0 on 192\.0\.2\.1 cannot be had: the address is not of this machine\. Choose another/
    expect(await run('serve', ['--http', '192.0.2.1:0'])).toEqual(refusal(words))
  })

  it('a folder that is a file, or lies in one', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    const words = /Cannot keep data in .*: (it is a file|ENOTDIR).*Choose another folder with --data/
    expect(await run('dev', ['--data', file])).toEqual(refusal(words))
    expect(await run('serve', ['--data', '/dev/null/x'])).toEqual(refusal(words))
  })

  it('a bad setting, from a flag and from the environment', async () => {
    expect(await run('dev', ['--delivery', 'pigeon'])).toEqual(
      refusal(/delivery \(--delivery, RESTANTE_DELIVERY\) must be capture, direct, or smtp:/),
    )
    expect(await run('serve', [], { RESTANTE_DOMAIN: 'not a domain' })).toEqual(
      refusal(/--domain, RESTANTE_DOMAIN\) must be a domain such as mail\.example\.com/),
    )
    expect(await run('serve', ['--signup', 'maybe'])).toEqual(
      refusal(/--signup, RESTANTE_SIGNUP\) must be true or false/),
    )
  })

  it('a database that is away, without its password', async () => {
    const url = `postgres://ana:hush@127.0.0.1:${await freePort()}/mail`
    const ended = await run('serve', ['--database-url', url])
    expect(ended).toEqual(refusal(/Cannot use the database .*ECONNREFUSED/))
    expect(ended.err).not.toContain('hush')
  })
})

describe('restante says in one line what to do about', () => {
  it('a second process on the same folder', async () => {
    const folder = await temporaryFolder()
    const { dev } = await startDev(['--data', folder])
    const words = new RegExp(`in use by the process ${dev.child.pid}: stop it, or choose another.*--data`)
    expect(await runCli(['dev', '--data', folder, ...anyPorts])).toEqual(refusal(words))
    expect(await runCli(['serve', '--data', folder, ...anyPorts])).toEqual(refusal(words))
  })

  it('an agent that is not there, before anything is started', async () => {
    expect(await runCli(['dev', '--agent', 'nowhere.ts'])).toEqual(
      refusal(/There is no agent at nowhere\.ts/),
    )
    expect(await runCli(['dev', '--agent', 'src'])).toEqual(refusal(/There is no agent at src/))
  })

  it('wrong arguments', async () => {
    expect(await runCli(['dev', '--bogus'])).toEqual(refusal(/unknown option '--bogus': see restante --help/))
    expect(await runCli(['sned'])).toEqual(refusal(/unknown command 'sned' \(Did you mean send\?\)/))
    expect(await runCli(['send'])).toEqual(refusal(/missing required argument 'to'/))
    expect(await runCli(['send', 'a@example.com', 'Hi', '--smtp', 'here'])).toEqual(
      refusal(/--smtp here must be host:port/),
    )
    expect(await runCli(['listen'])).toEqual(refusal(/Give the API key: RESTANTE_API_KEY=/))
  })

  it('a service that is away', async () => {
    const here = `127.0.0.1:${await freePort()}`
    const away = ['--url', `http://${here}`, '--key', 'rst_x']
    expect(await runCli(['listen', ...away])).toEqual(refusal(/could not be reached \(ECONNREFUSED\)/))
    expect(await runCli(['send', 'a@example.com', 'Hi', ...away])).toEqual(refusal(/could not be reached/))
    expect(await runCli(['send', 'a@example.com', 'Hi', '--smtp', here])).toEqual(
      refusal(/Is restante dev running\?/),
    )
  })

  it('what the service refuses', async () => {
    const { facts } = await startDev(['--data', await temporaryFolder()])
    const { url, smtp, api_key } = facts
    expect(await runCli(['send', 'nobody@restante.localhost', 'Hi', '--smtp', smtp])).toEqual(
      refusal(/refused the mail: 550 5\.1\.1 There is no inbox with this address/),
    )
    expect(await runCli(['send', 'nonsense', 'Hi', '--url', url, '--key', api_key])).toEqual(
      refusal(/"nonsense", which is not an e-mail address/),
    )
    const wrong = ['--url', url, '--key', 'rst_wrong']
    expect(await runCli(['send', 'a@example.com', 'Hi', ...wrong])).toEqual(refusal(/API key/))
    expect(await runCli(['listen', ...wrong])).toEqual(refusal(/API key/))
  })

  it('any of these, as JSON too', async () => {
    const { code, out, err } = await runCli(['dev', '--json', '--http', 'nonsense'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toEqual({ error: 'invalid_settings', message: expect.stringContaining('--http') })
    expect(JSON.parse((await runCli(['dev', '--json', '--bogus'])).err).error).toBe('invalid_arguments')
  })
})

describe('restante', () => {
  it('tells its commands and their flags on --help', async () => {
    for (const args of [['--help'], ['dev', '--help'], ['serve', '--help'], ['send', '--help']]) {
      const { code, out, err } = await runCli(args)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(/^Usage: restante /)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(81)
    }
    expect((await runCli([])).err).toMatch(/^Usage: restante /)
  })

  it('serve tells its addresses', async () => {
    const serve = cli(['serve', '--json', '--data', await temporaryFolder(), ...anyPorts])
    const [first] = await serve.out(/^.*\n/)
    const { url, ...rest } = JSON.parse(first)
    expect(Object.keys(rest)).toEqual(['console_url', 'smtp'])
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    expect((await serve.kill('SIGINT')).code).toBe(0)
  })
})
