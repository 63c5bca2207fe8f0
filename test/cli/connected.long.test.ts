import { describe, expect, it } from 'vitest'
import { cli, runCli, startDev, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

describe('restante send', () => {
  it('sends from the inbox of a key', async () => {
    const { dev, facts } = await startDev()
    const env = { RESTANTE_URL: facts.url, RESTANTE_API_KEY: facts.api_key }
    const plain = await runCli(['send', 'bob@example.com', 'Hi'], { env })
    expect(plain).toEqual({ code: 0, out: 'Sent to bob@example.com: it is being sent\n', err: '' })
    await dev.line({ event: 'message.sent', from: facts.address, to: ['bob@example.com'] })
    const json = await runCli(['send', 'bob@example.com', '--subject', 'Piped', '--json'], {
      env,
      input: 'from a pipe',
    })
    expect(JSON.parse(json.out)).toMatchObject({ message_id: expect.any(String), idempotent: false })
    await dev.line({ event: 'message.sent', subject: 'Piped' })
  })
})

describe('restante listen', () => {
  it('shows what happens, also across a restart of the service', async () => {
    const folder = await temporaryFolder()
    const first = await startDev(['--data', folder])
    const { url, smtp, address, api_key } = first.facts
    const env = { RESTANTE_URL: url, RESTANTE_API_KEY: api_key }
    const listen = cli(['listen', '--json'], { env })
    await listen.err(/"state":"live"/)
    await runHere(['send', address, 'Hi', '--subject', 'before', '--smtp', smtp])
    await listen.out(/"subject":"before"/)
    await first.dev.kill('SIGKILL')
    await listen.err(/"state":"stale"/)
    const second = await startDev(['--data', folder, '--http', new URL(url).host])
    await runHere(['send', address, 'Hi', '--subject', 'after', '--smtp', second.facts.smtp])
    await listen.out(/"subject":"after"/)
    const { code, out } = await listen.kill('SIGINT')
    expect(code).toBe(0)
    const seqs = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq as number)
    expect(seqs).toEqual(seqs.map((_seq, i) => (seqs[0] ?? 0) + i))
  })

  it('shows lines to people, where no JSON is asked for', async () => {
    const { facts } = await startDev()
    const listen = cli(['listen', '--url', facts.url, '--key', facts.api_key])
    await listen.err(/Listening to \S+\. Stop with Ctrl-C\.\n[\d:]+ {2}\(live\)\n/)
    await runHere(['send', facts.address, 'Hi', '--smtp', facts.smtp])
    await listen.out(/message\.received {3}you@example\.com → agent@restante\.localhost {2}"Hello"\n/)
    expect((await listen.kill('SIGTERM')).code).toBe(0)
  })
})
