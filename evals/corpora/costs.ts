import { parseMail } from '../../src/mail/parse'
import { takenInPerSecond } from './threads'

const MiB = 1024 * 1024
const encoder = new TextEncoder()
const head = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
const line = 'The quick brown fox jumps over the lazy dog, and then goes home to sleep.\r\n'
const filled = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length))

/** Mails of a size that a stranger chooses, so made that careless readers take long. */
const mails: Record<string, (bytes: number) => string> = {
  'plain text': (bytes) => `Subject: x\r\n\r\n${filled(line, bytes)}`,
  'quoted text': (bytes) => `Subject: x\r\n\r\nYes.\r\n${filled(`> ${line}`, bytes)}`,
  'format=flowed quotes': (bytes) =>
    `Content-Type: text/plain; format=flowed\r\n\r\n${filled(`> ${'ab '.repeat(24)}\r\n`, bytes)}`,
  '"On " again and again': (bytes) => `Subject: x\r\n\r\n${filled('On ', bytes)}`,
  'introductions without end': (bytes) => `Subject: x\r\n\r\n${filled('On 2020 at 10:10 wrote\r\n', bytes)}`,
  'notes of lawyers': (bytes) =>
    `Subject: x\r\n\r\nHi\r\n\r\n${filled('confidential intended recipient in error delete\r\n\r\n', bytes)}`,
  'nested HTML': (bytes) => `Content-Type: text/html\r\n\r\n${filled('<div><b>', bytes)}x`,
  'HTML newsletter': (bytes) =>
    `Content-Type: text/html\r\n\r\n${filled('<p>Hello <a href="https://x.example/y">there</a></p>\r\n', bytes)}`,
  'quoted-printable': (bytes) =>
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${filled(`${'=C3=A9'.repeat(12)}=\r\n`, bytes)}`,
  'an attachment in base64': (bytes) =>
    `${head}--b\r\nContent-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n${filled(`${'QUJD'.repeat(19)}\r\n`, bytes)}--b--`,
  'many parts': (bytes) => `${head}${filled('--b\r\nContent-Type: image/png\r\n\r\nx\r\n', bytes)}--b--`,
  addresses: (bytes) => `To: ${filled('u1234567@example.com, ', bytes)}\r\n\r\nhi`,
  'folded header': (bytes) => `Subject: x${filled('\r\n ', bytes)}\r\n\r\nhi`,
  'encoded words': (bytes) => `Subject: ${filled('=?utf-8?q?a?= ', bytes)}\r\n\r\nhi`,
  'delivery status': (bytes) =>
    `From: mailer-daemon@x.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${filled('Final-Recipient: rfc822; a@x.example\r\nAction: failed\r\n\r\n', bytes)}--b--`,
}

/** Milliseconds of the processor, the best of three. */
async function cost(raw: Uint8Array): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage()
    await parseMail(raw)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

const nested = (depth: number) =>
  Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')

const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Time by size: what grows with it and no faster has a ratio near 5. */
export async function costsText(): Promise<string> {
  const rows = [row(['mail', '1 MiB', '5 MiB', '25 MiB', '5 to 1', '25 to 5']), row(Array(6).fill('---'))]
  for (const [name, write] of Object.entries(mails)) {
    const ms: number[] = []
    for (const size of [1, 5, 25]) ms.push(await cost(encoder.encode(write(size * MiB))))
    const [one, five, all] = ms as [number, number, number]
    rows.push(
      row([
        name,
        `${shown(one)} ms`,
        `${shown(five)} ms`,
        `${shown(all)} ms`,
        (five / one).toFixed(1),
        (all / five).toFixed(1),
      ]),
    )
  }
  const depths = [250, 1000, 4000]
  const costs: string[] = []
  for (const depth of depths) costs.push(`${depth}: ${shown(await cost(encoder.encode(nested(depth))))} ms`)
  return `${rows.join('\n')}\n\nParts in parts: ${costs.join(', ')}.`
}

/** Mails a second on one core. */
export async function speedText(): Promise<string> {
  const mail = encoder.encode(
    `From: Ann <ann@example.com>\r\nTo: bob@example.org\r\nSubject: Re: Hello\r\nMessage-ID: <2@a.example>\r\nReferences: <1@b.example>\r\nDate: Mon, 2 Nov 2026 09:57:58 -0400\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${line.repeat(40)}\r\nOn Mon, 2 Nov 2026 at 09:00, Bob <bob@example.org> wrote:\r\n${`> ${line}`.repeat(10)}`,
  )
  for (let run = 0; run < 2000; run++) await parseMail(mail)
  const start = process.cpuUsage()
  for (let run = 0; run < 5000; run++) await parseMail(mail)
  const { user, system } = process.cpuUsage(start)
  const parsed = 5000 / ((user + system) / 1e6)
  const rows = [
    ['parsed, with reply text', `${Math.round(parsed)}/s`],
    [
      'taken in by the service without the wire: parsed, in its thread, on disk (SQLite), with its events',
      `${Math.round(await takenInPerSecond())}/s`,
    ],
  ]
  return [row(['4 KiB, per second of one core', '']), row(['---', '---']), ...rows.map(row)].join('\n')
}
