import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { describe, expect, onTestFinished, test } from 'vitest'
import { smtpSourceIsMissing, smtpSourcePath } from '../../../support/postfix'
import { isMissing, run } from '../../../support/program'
import { startReceiver, text } from './start-receiver'

const content = 'Subject: hello\r\nFrom: a@b.test\r\n\r\n.dot\r\n..dots\r\nl\u00efne\r\n\r\nlast\r\n'

async function contentFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'mail.eml')
  await writeFile(path, content, 'latin1')
  return path
}

describe.skipIf(isMissing('swaks'))('swaks', () => {
  const args = async (port: number) => [
    ...['--server', `127.0.0.1:${port}`, '--helo', 'swaks.test', '--from', 'a@b.test'],
    ...['--to', 'one@mx.test,two@mx.test', '--data', `@${await contentFile()}`],
  ]

  test.each([
    ['a reply at a time', []],
    ['pipelined', ['--pipeline']],
  ])('%s', async (_, flags) => {
    const { port, mails } = await startReceiver()
    const { code, output } = await run('swaks', [...(await args(port)), ...flags])
    expect([code, output]).toEqual([0, expect.stringContaining('250 2.0.0 Accepted as msg_1')])
    expect(mails[0]?.envelope).toMatchObject({
      recipients: ['one@mx.test', 'two@mx.test'],
      heloName: 'swaks.test',
    })
    // swaks ends its file with a line break of its own.
    expect(text(mails[0]?.raw).trimEnd()).toBe(content.trimEnd())
  })
})

describe.skipIf(isMissing('curl'))('curl', () => {
  test.each([
    ['in clear', [], false],
    ['over TLS', ['--ssl-reqd', '--insecure'], true],
  ])('%s', async (_, flags, tls) => {
    const { port, mails } = await startReceiver()
    const url = `smtp://127.0.0.1:${port}/curl.test`
    const args = [
      '--silent',
      '--show-error',
      '--url',
      url,
      '--mail-from',
      'a@b.test',
      '--mail-rcpt',
      'one@mx.test',
    ]
    expect(await run('curl', [...args, ...flags, '--upload-file', await contentFile()])).toEqual({
      code: 0,
      output: '',
    })
    expect(mails[0]?.envelope).toMatchObject({ heloName: 'curl.test', tls })
    expect(text(mails[0]?.raw)).toBe(content)
  })

  test('reports a refusal', async () => {
    const { port } = await startReceiver({ maxMessageBytes: 10 })
    const args = [
      '--silent',
      '--url',
      `smtp://127.0.0.1:${port}`,
      '--mail-from',
      'a@b.test',
      '--mail-rcpt',
      'one@mx.test',
    ]
    expect((await run('curl', [...args, '--upload-file', await contentFile()])).code).not.toBe(0)
  })
})

describe.skipIf(smtpSourceIsMissing())('smtp-source', () => {
  test('ten connections at once, each mail once', async () => {
    const { port, mails } = await startReceiver()
    for (const flags of [[], ['-d']]) {
      const args = ['-s', '10', '-m', '200', '-l', '4096', ...flags, '-f', 'a@b.test', '-t', 'one@mx.test']
      expect((await run(smtpSourcePath(), [...args, `inet:127.0.0.1:${port}`])).code).toBe(0)
    }
    expect(mails).toHaveLength(400)
    expect(new Set(mails.map(({ raw }) => raw.length)).size).toBeLessThan(20)
  })
})

describe('nodemailer', () => {
  test('composes and sends, over TLS where it is offered', async () => {
    const { port, mails } = await startReceiver()
    const sender = createTransport({
      host: '127.0.0.1',
      port,
      tls: { rejectUnauthorized: false },
      pool: true,
    })
    onTestFinished(() => sender.close())
    const large = 'x'.repeat(1_000_000)
    const info = await sender.sendMail({
      from: 'a@b.test',
      to: 'one@mx.test',
      bcc: 'two@mx.test',
      subject: 's',
      text: large,
    })
    expect(info.response).toBe('250 2.0.0 Accepted as msg_1')
    await sender.sendMail({
      envelope: { from: 'a@b.test', to: 'one@mx.test' },
      raw: Buffer.from(content, 'latin1'),
    })
    expect(mails[0]?.envelope).toMatchObject({ recipients: ['one@mx.test', 'two@mx.test'], tls: true })
    expect(mails[0]?.raw.length).toBeGreaterThan(1_000_000)
    expect(text(mails[1]?.raw)).toBe(content)
  })
})
