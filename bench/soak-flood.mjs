import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'

/**
 * Sends mails at an even pace until a time, each until it is taken, the same bytes each time. `mailAt` gives the
 * recipient and the bytes of each. Returns of each mail that was refused when it first was, and when it was taken, in ms.
 */
export async function flood({ smtp, mails, endsAtMs, mailAt }) {
  const [host, port] = smtp.split(':')
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: 10,
    tls: { rejectUnauthorized: false },
  })
  const refusals = []
  async function deliver(index) {
    const { to, raw } = mailAt(index)
    const envelope = { from: 'ana@example.com', to }
    for (let fromMs; ; ) {
      try {
        await transport.sendMail({ envelope, raw })
        if (fromMs !== undefined) refusals.push({ fromMs, toMs: Date.now() })
        return
      } catch ({ responseCode }) {
        if (responseCode !== undefined) fromMs ??= Date.now()
        await sleep(200)
      }
    }
  }
  const startedMs = Date.now()
  const pending = new Set()
  for (let index = 0; index < mails; index += 1) {
    const dueMs = startedMs + ((endsAtMs - startedMs) * index) / mails
    if (dueMs > Date.now()) await sleep(dueMs - Date.now())
    const sending = deliver(index).then(() => pending.delete(sending))
    pending.add(sending)
    if (pending.size >= 50) await Promise.race(pending)
  }
  await Promise.all(pending)
  transport.close()
  return refusals
}

/** The bytes of the mail of this number, in one of so many threads, the first of each being the lowest number. */
export function mailOf(index, threads, to) {
  const thread = index % threads
  const first = index < threads
  const head = [
    'From: Ana <ana@example.com>',
    `To: ${to}`,
    `Subject: ${first ? '' : 'Re: '}Thread ${thread}`,
    `Message-ID: <soak-${index}@example.com>`,
    ...(first
      ? []
      : [`In-Reply-To: <soak-${thread}@example.com>`, `References: <soak-${thread}@example.com>`]),
    `Date: ${new Date().toUTCString()}`,
  ]
  return `${head.join('\r\n')}\r\n\r\nMail ${index}: ${'how are you? '.repeat(100)}\r\n`
}
