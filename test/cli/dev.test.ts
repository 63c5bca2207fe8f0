import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { anyPorts, cli, runCli, startDev, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

const echo = 'examples/echo-agent.ts'

describe('restante dev', () => {
  it('shows a mail in, the loop woken and the reply out, and stops cleanly', async () => {
    const dev = cli(['dev', ...anyPorts, '--data', await temporaryFolder(), '--agent', echo])
    const [, smtp = ''] = await dev.out(/npx restante send agent@restante\.localhost ".*" --smtp (\S+)\n/)
    const sent = await runCli(['send', 'agent@restante.localhost', 'Hello?', '--smtp', smtp])
    expect(sent).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^Sent to agent@restante\.localhost: 127\.0\.0\.1:\d+ said: 250 2\.0\.0 Accepted as msg_\w+\n$/,
      ),
    })
    await dev.out(/out {4}agent@restante\.localhost → you@example\.com {2}"Re: Hello" {2}sent \(captured/)
    expect(await dev.kill('SIGINT')).toMatchObject({ code: 0, err: '' })
    expect(dev.text).toMatch(
      /in {5}you@example\.com → agent@\S+ {2}"Hello"\n[\d:]+ {2}woken {2}after \d+(\.\d)? ms\n/,
    )
    expect(dev.text.endsWith('\nStopped.\n')).toBe(true)
  })

  it('tells programs the same as JSON, its addresses first', async () => {
    const { dev, facts } = await startDev([
      '--data',
      join(await temporaryFolder(), 'not/yet'),
      '--agent',
      echo,
    ])
    expect(Object.keys(facts)).toEqual([
      ...['url', 'console_url', 'sign_in_url', 'smtp', 'address', 'inbox_id', 'api_key'],
    ])
    expect((await fetch(facts.url.replace('/v1', '/healthz'))).status).toBe(200)
    const sent = await runHere(['send', facts.address, 'Hello?', '--smtp', facts.smtp, '--json'])
    expect(JSON.parse(sent.out)).toEqual({
      response: expect.stringMatching(/^250/),
      message_id: expect.any(String),
    })
    const received = await dev.line({ event: 'message.received' })
    expect(received).toMatchObject({ from: 'you@example.com', to: [facts.address], subject: 'Hello' })
    const woken = await dev.line({ event: 'woken', message_id: received.message_id })
    expect(woken.ms).toBeGreaterThan(0)
    await dev.line({ event: 'message.sent', subject: 'Re: Hello' })
    expect(await dev.kill('SIGTERM')).toMatchObject({ code: 0, err: '' })
    await dev.line({ event: 'stopped' })
  })

  it('has the same key and address after SIGKILL, and the mail', async () => {
    const folder = await temporaryFolder()
    const before = await startDev(['--data', folder])
    await runHere(['send', before.facts.address, 'Keep me'], { RESTANTE_DATA: folder })
    await before.dev.kill('SIGKILL')
    const { facts } = await startDev(['--data', folder])
    expect(facts).toMatchObject({
      address: before.facts.address,
      api_key: before.facts.api_key,
      inbox_id: before.facts.inbox_id,
    })
    const answer = await fetch(`${facts.url}/messages`, {
      headers: { authorization: `Bearer ${facts.api_key}` },
    })
    expect(await answer.json()).toMatchObject({ messages: [{ preview: 'Keep me' }] })
  })

  it('shows mail without what a terminal would obey', async () => {
    const dev = cli(['dev', ...anyPorts, '--data', await temporaryFolder(), '--agent', echo])
    const [, host, port] = (await dev.out(/SMTP in {3}(\S+):(\d+)/)) as unknown as string[]
    const transport = createTransport({ host, port: Number(port), tls: { rejectUnauthorized: false } })
    const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
    await transport.sendMail({
      envelope: { from: 'evil@example.com', to: 'agent@restante.localhost' },
      raw: [
        `From: ${encoded('\u001b]0;owned\u0007')} <evil@example.com>`,
        `Subject: ${encoded('\u001b[2J\u009b31m\u202egnp.exe\u2066\u200b\u2028x')}`,
        '',
        '\u001b[31mred',
      ].join('\r\n'),
    })
    await dev.out(/sent \(captured/)
    transport.close()
    expect(dev.text).toContain('gnp.exe')
    expect(dev.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })
})
