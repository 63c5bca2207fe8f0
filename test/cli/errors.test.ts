import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../bench/ports.mjs'
import { anyPorts, cli, cliPath, type Ended, runCli, start, startDev, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

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

type Command = 'dev' | 'serve'
const run = async (command: Command, args: string[], env?: Record<string, string>): Promise<Ended> =>
  runCli([command, '--data', await temporaryFolder(), ...anyPorts, ...args], { env })

describe('restante, starting a service, says in one line what to do about', () => {
  it.each(['dev', 'serve'] as const)('a port in use (%s)', async (command) => {
    const port = await takenPort()
    const here = `127.0.0.1:${port}`
    expect(await run(command, ['--http', here])).toEqual(
      refusal(/Port \d+ on 127\.0\.0\.1 is in use\. Choose another address with --http/),
    )
    expect(await run(command, ['--smtp', here])).toEqual(
      refusal(/is in use\. Choose another address with --smtp/),
    )
  })

  it('an address that is not here', async () => {
    const words =
      /Port 0 on 192\.0\.2\.1 cannot be used: this machine does not have the address\. Choose another address/
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
    // A setting that is true or false needs no value to be true.
    expect(await run('serve', ['--webhooks-allow-private', '--check-senders', '--signup', 'maybe'])).toEqual(
      refusal(/--signup, RESTANTE_SIGNUP\) must be true or false/),
    )
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
    expect(await runHere(['dev', '--agent', 'nowhere.ts'])).toEqual(
      refusal(/There is no agent at nowhere\.ts/),
    )
    expect(await runHere(['dev', '--agent', 'src'])).toEqual(refusal(/There is no agent at src/))
  })

  it('wrong arguments, with the help of the command', async () => {
    expect(await runHere(['dev', '--bogus'])).toEqual(
      refusal(/unknown option '--bogus'\. Usage: restante dev \[options\]\. See restante dev --help/),
    )
    expect(await runHere(['sned'])).toEqual(
      refusal(/unknown command 'sned' \(Did you mean send\?\)\. See restante --help/),
    )
    expect(await runHere(['send'])).toEqual(
      refusal(
        /missing required argument 'to'\..*restante send \[options\] <to> \[text\].*restante send --help/,
      ),
    )
    expect(await runHere(['mail', '--limit', '0'])).toEqual(
      refusal(/a number from 1 to 99999\. Usage: restante/),
    )
    expect(await runHere(['consumers', 'skiped', 'x'])).toEqual(
      refusal(/restante consumers has no command skiped: it has list, skipped, dead, redrive/),
    )
    expect(await runHere(['send', 'a@example.com', 'Hi', '--smtp', 'here'])).toEqual(
      refusal(/--smtp here must be host:port/),
    )
    expect(await runHere(['listen', '--forward', 'here'])).toEqual(
      refusal(/--forward here must be an address/),
    )
    expect(await runHere(['listen'], { RESTANTE_DATA: await temporaryFolder() })).toEqual(
      refusal(/Give the API key: RESTANTE_API_KEY=/),
    )
  })

  it('a Node that is too old', async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })"
    const preload = `data:text/javascript,${encodeURIComponent(older)}`
    const { ended } = start(process.execPath, ['--import', preload, cliPath, '--help'])
    expect(await ended).toEqual(
      refusal(/needs Node 20\.19 or newer, and this is 18\.20\.8\. Install a newer Node/),
    )
  })

  it('a service that is away', async () => {
    const here = `127.0.0.1:${await freePort()}`
    const away = ['--url', `http://${here}`]
    const key = { RESTANTE_API_KEY: 'rst_x' }
    expect(await runHere(['listen', ...away], key)).toEqual(refusal(/could not be reached \(ECONNREFUSED\)/))
    expect(await runHere(['send', 'a@example.com', 'Hi', ...away], key)).toEqual(
      refusal(/could not be reached/),
    )
    expect(await runHere(['send', 'a@example.com', 'Hi', '--smtp', here])).toEqual(
      refusal(/Is restante dev running\?/),
    )
  })

  it('what the service refuses', async () => {
    const { facts } = await startDev()
    const { url, smtp, api_key } = facts
    expect(await runHere(['send', 'nobody@restante.localhost', 'Hi', '--smtp', smtp])).toEqual(
      refusal(/refused the email: 550 5\.1\.1 There is no inbox with this address/),
    )
    expect(await runHere(['send', 'nonsense', 'Hi', '--url', url], { RESTANTE_API_KEY: api_key })).toEqual(
      refusal(/"nonsense", which is not an email address/),
    )
    const wrong = { RESTANTE_URL: url, RESTANTE_API_KEY: 'rst_wrong' }
    expect(await runHere(['send', 'a@example.com', 'Hi'], wrong)).toEqual(refusal(/API key/))
    expect(await runHere(['listen'], wrong)).toEqual(refusal(/API key/))
  })

  it('any of these, as JSON too', async () => {
    const { code, out, err } = await runHere(['dev', '--json', '--http', 'nonsense'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toEqual({ error: 'invalid_settings', message: expect.stringContaining('--http') })
    expect(JSON.parse((await runHere(['dev', '--json', '--bogus'])).err).error).toBe('invalid_arguments')
  })
})

describe('restante', () => {
  it('tells its commands and their flags on --help', async () => {
    const names =
      'dev serve doctor approvals admin backup restore signup send mail read reply drafts consumers webhooks'
    const commands = `${names} listen mcp`.split(' ')
    for (const args of [['--help'], ['help', 'send'], ...commands.map((name) => [name, '--help'])]) {
      const { code, out, err } = await runHere(args)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(/^Usage: restante /)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(81)
    }
    expect((await runHere([])).err).toMatch(/^Usage: restante /)
    for (const name of commands)
      expect((await runHere(['--help'])).out).toMatch(new RegExp(`^ {2}${name} `, 'm'))
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
