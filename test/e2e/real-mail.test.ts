import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import PostalMime from 'postal-mime'
import { Mailbox, type Message } from 'restante'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../support/flood'
import { smtpSinkIsMissing, startSmtpSink } from '../support/postfix'
import { isMissing, run } from '../support/program'
import { startService, type TestService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { mailWithAttachments, sampleMails, unencodedAttachments } from './mails'

const corpora = fileURLToPath(new URL('../../../shared/corpora/mime/', import.meta.url))
const hasCorpora = existsSync(corpora)
if (!hasCorpora) console.warn(`No corpora at ${corpora}: their test is skipped.`)

interface Line {
  real: TestService
  port: number
  mailbox: Mailbox
  next(): Promise<Message>
  send(raw: Buffer): Promise<string>
}

/** A listening service, and a loop over its mail, as an agent has them. */
async function openLine(options: { delivery?: string } = {}): Promise<Line> {
  const real = await startService({ data: await temporaryFolder(), ...options })
  onTestFinished(() => real[Symbol.asyncDispose]())
  const mailbox = await Mailbox.open({ url: real.url, apiKey: real.home.apiKey })
  onTestFinished(() => mailbox.close())
  // Other people's test mails have no sender, or a machine's: what is kept is under test, not who is answered.
  const messages = mailbox.incoming({ unanswerable: true })
  const port = Number(real.smtp.split(':')[1])
  return {
    real,
    port,
    mailbox,
    next: async () => (await messages.next()).value as Message,
    send: (raw) => sendRaw(port, real.home.address, raw),
  }
}

const trimmed = (text: string) => text.replaceAll('\r\n', '\n').trim()

/** Reads what an agent sees of a message, in a form to compare. */
async function seen(message: Message) {
  const { text, html } = await message.body()
  const attachments = await Promise.all(
    message.attachments.map(async ({ filename, contentType, inline, size, ...attachment }, i) => {
      const content = Buffer.from(await message.attachments[i]!.content())
      expect(content.length).toBe(size)
      return { filename, contentType, inline, content: content.toString('base64'), ...attachment }
    }),
  )
  return { from: message.from, subject: message.subject, body: trimmed(text), html, attachments }
}

const rawOf = async (message: Message) => Buffer.from(await message.raw())

describe('raw mail over a socket', () => {
  test('comes out of the loop as it was meant, in order', async () => {
    const { send, next } = await openLine()
    for (const [name, sample] of Object.entries(sampleMails)) {
      const reply = await send(sample.raw)
      const message = await next()
      expect(reply, name).toBe(`2.0.0 Accepted as ${message.id}`)
      const { from = 'ana@example.com', fromName = 'Ana', subject, body, text, html } = sample
      const saw = await seen(message)
      expect(saw, name).toMatchObject({ from: { address: from, name: fromName }, subject })
      expect(saw.body, name).toEqual(typeof body === 'string' ? body : expect.stringMatching(body))
      expect(trimmed(message.text), name).toBe(text ?? saw.body)
      expect(saw.html, name).toEqual(html ? expect.stringMatching(html) : null)
      const attachments = (sample.attachments ?? []).map(({ content, inline = false, ...one }) => ({
        ...one,
        inline,
        content: content.toString('base64'),
      }))
      expect(saw.attachments, name).toMatchObject(attachments)
      expect(saw.attachments.length, name).toBe(attachments.length)
      expect((await rawOf(message)).equals(sample.raw), `${name}: the original`).toBe(true)
    }
  })

  test('brings attachments byte for byte that are not in base64', async () => {
    const { send, next } = await openLine()
    await send(mailWithAttachments(unencodedAttachments))
    const { attachments } = await next()
    const contents = await Promise.all(attachments.map((attachment) => attachment.content()))
    expect(contents.map((content) => Buffer.from(content).toString('latin1'))).toEqual(
      unencodedAttachments.map(({ meant }) => meant),
    )
  })

  test.skipIf(!hasCorpora)("loses none of other people's test mails, and keeps each as it was", async () => {
    const { send, next, mailbox } = await openLine()
    const files = ['rfc', 'malformed', 'legacy', 'mime4j'].flatMap((folder) =>
      readdirSync(join(corpora, folder))
        .filter((name) => /\.(eml|msg)$/.test(name))
        .slice(0, 15)
        .map((name) => join(corpora, folder, name)),
    )
    expect(files.length).toBeGreaterThanOrEqual(40)
    for (const file of files) {
      const lines = readFileSync(file, 'latin1')
        .replace(/\r?\n/g, '\r\n')
        .replace(/(\r\n)?$/, '\r\n')
      const raw = Buffer.from(lines, 'latin1')
      const reply = await send(raw)
      const message = await next()
      expect(reply, file).toBe(`2.0.0 Accepted as ${message.id}`)
      expect((await rawOf(message)).equals(raw), file).toBe(true)
      expect(
        (await message.thread()).messages.map(({ id }) => id),
        file,
      ).toContain(message.id)
      for (const attachment of message.attachments)
        expect((await attachment.content()).length, file).toBe(attachment.size)
    }
    const { messages } = await mailbox.client.messages.list({ limit: 100 })
    expect(messages).toHaveLength(files.length)
  })
})

describe('mail comes out of the loop as it was sent by', () => {
  const file = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256))

  test.skipIf(isMissing('swaks'))('swaks, with text, HTML and an attachment', async () => {
    const { real, next } = await openLine()
    const path = join(await temporaryFolder(), 'data.bin')
    await writeFile(path, file)
    const args = [
      ...['--server', real.smtp, '--from', 'ana@example.com', '--to', real.home.address],
      ...['--h-Subject', 'From swaks', '--h-From', 'Ana <ana@example.com>'],
      ...['--attach-type', 'text/plain', '--attach-body', 'Hello from swaks'],
      ...['--attach-type', 'text/html', '--attach-body', '<p>Hello from <i>swaks</i></p>'],
      ...['--attach-type', 'application/x-data', '--attach', `@${path}`],
    ]
    const { code, output } = await run('swaks', args)
    expect([code, output]).toEqual([0, expect.stringContaining('250 2.0.0 Accepted as msg_')])
    const message = await next()
    expect(output).toContain(message.id)
    expect(message.text).toBe('Hello from swaks')
    expect(await seen(message)).toMatchObject({
      from: { address: 'ana@example.com', name: 'Ana' },
      subject: 'From swaks',
      body: 'Hello from swaks',
      html: expect.stringContaining('<i>swaks</i>'),
      attachments: [
        { filename: 'data.bin', contentType: 'application/x-data', content: file.toString('base64') },
      ],
    })
  })

  test.skipIf(isMissing('curl'))('curl, a file byte for byte', async () => {
    const { real, next } = await openLine()
    const sample = sampleMails['text, HTML and an inline image, with attachments']!
    const path = join(await temporaryFolder(), 'mail.eml')
    await writeFile(path, sample.raw)
    const args = ['--silent', '--show-error', '--url', `smtp://${real.smtp}`, '--upload-file', path]
    const envelope = ['--mail-from', 'ana@example.com', '--mail-rcpt', real.home.address]
    expect(await run('curl', [...args, ...envelope])).toEqual({ code: 0, output: '' })
    const message = await next()
    expect((await rawOf(message)).equals(sample.raw)).toBe(true)
    expect(await seen(message)).toMatchObject({ subject: sample.subject, body: sample.body })
    expect(message.attachments).toHaveLength(3)
  })

  test('nodemailer, over TLS to several recipients with a file', async () => {
    const { real, next } = await openLine()
    await real.mail({
      from: { name: 'Ána "the boss" Müller', address: 'ana@example.com' },
      to: [real.home.address, 'somebody@elsewhere.example'],
      cc: 'Carl <carl@example.com>',
      envelope: { from: 'bounces@example.com', to: real.home.address },
      replyTo: 'answers@example.com',
      subject: `Ein langer Betreff ${'mit Umlauten äöü '.repeat(10)}✓`,
      text: 'Grüße\n.\n..\nfrom nodemailer',
      html: '<p>Grüße from nodemailer</p>',
      attachments: [{ filename: 'naïve ☃.bin', content: file }],
    })
    const message = await next()
    expect(message.to).toEqual([real.home.address, 'somebody@elsewhere.example'])
    expect(message.cc).toEqual(['carl@example.com'])
    expect(message.record.reply_to).toEqual(['answers@example.com'])
    expect(await seen(message)).toMatchObject({
      from: { address: 'ana@example.com', name: 'Ána "the boss" Müller' },
      subject: `Ein langer Betreff ${'mit Umlauten äöü '.repeat(10)}✓`,
      body: 'Grüße\n.\n..\nfrom nodemailer',
      html: expect.stringContaining('<p>Grüße from nodemailer</p>'),
      attachments: [{ filename: 'naïve ☃.bin', content: file.toString('base64') }],
    })
  })
})

describe.skipIf(smtpSinkIsMissing())('the reply that leaves', () => {
  test('is taken by smtp-sink of Postfix, in thread', async () => {
    const sink = await startSmtpSink()
    const { real, send, next, mailbox } = await openLine({ delivery: `smtp://127.0.0.1:${sink.port}` })
    const sent = new Promise<string>((resolve) => {
      mailbox.on('event', ({ type, data }) => {
        if (type === 'message.sent') resolve(String(data.id))
      })
    })
    const lines = [
      'From: Ana <ana@example.com>',
      'Reply-To: Ana at home <ana@home.example>',
      'Subject: Frage zur Lieferung',
      'Message-ID: <third@example.com>',
      'In-Reply-To: <second@example.com>',
      'References: <first@example.com> <second@example.com>',
    ]
    await send(Buffer.from(`${lines.join('\r\n')}\r\n\r\nWo ist mein Paket?\r\n`))
    const message = await next()
    const before = Date.now()
    const text = 'Es kommt morgen – versprochen. 🚚\n.\nLink: https://example.com/?a=1&b=2'
    const reply = await message.reply({ text })
    expect(await sent).toBe(reply.id)

    const [mail, ...more] = await sink.mails()
    expect(more).toEqual([])
    expect(mail?.recipients).toEqual(['ana@home.example'])
    // Where its bounces come to, by which they are known to be of this mail.
    expect(mail?.mailFrom).toMatch(/^bounces\+[\da-z.]+@restante\.localhost$/)
    const parsed = await PostalMime.parse(Buffer.from(mail!.content, 'latin1'))
    expect(parsed).toMatchObject({
      from: { address: real.home.address },
      to: [{ address: 'ana@home.example' }],
      subject: 'Re: Frage zur Lieferung',
      messageId: reply.messageId,
      inReplyTo: '<third@example.com>',
      references: '<first@example.com> <second@example.com> <third@example.com>',
    })
    expect(Math.abs(Date.parse(parsed.date!) - before)).toBeLessThan(60_000)
    expect(trimmed(parsed.text!)).toBe(text)
    expect(parsed.html).toContain('href="https://example.com/?a=1&amp;b=2"')
    const header = (name: string) => parsed.headers.find(({ key }) => key === name)?.value
    expect(header('content-type')).toMatch(/^multipart\/alternative/)
    expect(header('mime-version')).toBe('1.0')
    for (const line of mail!.content.split('\n')) expect(line.length).toBeLessThanOrEqual(998)

    // What the service keeps is what left.
    const kept = await mailbox.client.messages.raw({ id: reply.id })
    expect(Buffer.from(kept).toString('latin1').replaceAll('\r\n', '\n').trimEnd()).toBe(
      mail!.content.trimEnd(),
    )
    const thread = await message.thread()
    expect(thread.messages.map(({ id, deliveryStatus }) => [id, deliveryStatus])).toEqual([
      [message.id, 'received'],
      [reply.id, 'sent'],
    ])
  })
})
