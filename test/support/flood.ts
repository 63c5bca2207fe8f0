import { openDialog, type SmtpDialog } from './smtp-dialog'

/** A mail as it goes over the wire, before dots are stuffed. */
export interface FloodMail {
  messageId: string
  raw: Buffer
}

export interface FloodOptions {
  port: number
  recipient: string
  mails: readonly FloodMail[]
  connections?: number
  /** These are sent once without waiting for the answer, as by a sender that dies; then again, at once. */
  hangUpOn?: (index: number) => boolean
}

/** Senders that go on until every mail was accepted, whatever becomes of their connections. */
export interface Flood {
  /** What was said with `250`, by Message-ID. */
  readonly accepted: ReadonlyMap<string, string>
  /** Mails whose final dot left more than once, since the answer was lost. */
  readonly repeated: ReadonlySet<string>
  /** Resolves when everything was accepted; rejects when a mail is refused. */
  readonly done: Promise<void>
  /** Resolves when that many mails were accepted. */
  untilAccepted(count: number): Promise<void>
  /** Says that the service listens again. */
  resume(): void
}

/** Content for DATA, dots stuffed (RFC 5321 section 4.5.2), with the end. */
function wireContent(raw: Buffer): Buffer {
  const text = raw.toString('latin1').replace(/^\./, '..').replaceAll('\r\n.', '\r\n..')
  return Buffer.from(`${text}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
}

/** Sends one mail; resolves with the text of the `250`, or undefined where it was not waited for. */
async function send(
  dialog: SmtpDialog,
  recipient: string,
  raw: Buffer,
  onDot: () => boolean,
): Promise<string | undefined> {
  dialog.write(`MAIL FROM:<flood@example.com> BODY=8BITMIME\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
  for (const code of [250, 250, 354]) await dialog.expect(code)
  dialog.write(wireContent(raw))
  if (!onDot()) return void dialog.end()
  return (await dialog.expect(250)).text
}

async function greet(port: number): Promise<SmtpDialog> {
  const dialog = openDialog(port)
  dialog.socket.setNoDelay(true)
  await dialog.expect(220)
  return dialog
}

/** Connects, sends one mail and resolves with what was said with `250`. */
export async function sendRaw(port: number, recipient: string, raw: Buffer): Promise<string> {
  const dialog = await greet(port)
  await dialog.say('EHLO raw.example.com', 250)
  const text = await send(dialog, recipient, raw, () => true)
  await dialog.say('QUIT', 221)
  return text ?? ''
}

/** Starts the senders. */
export function startFlood({ port, recipient, mails, connections = 10, hangUpOn }: FloodOptions): Flood {
  const pending = mails.map((mail, index) => ({ ...mail, hangUp: hangUpOn?.(index) ?? false, dots: 0 }))
  const accepted = new Map<string, string>()
  const repeated = new Set<string>()
  const waiting: { count: number; resolve: () => void }[] = []
  let generation = 0
  let revive = withResolvers()

  function accept(messageId: string, text: string): void {
    accepted.set(messageId, text)
    for (const { count, resolve } of waiting) if (accepted.size >= count) resolve()
  }

  async function work(): Promise<void> {
    let dialog: SmtpDialog | undefined
    for (let mail = pending.shift(); mail; mail = pending.shift()) {
      const one = mail
      const heard = generation
      const onDot = () => {
        one.dots += 1
        if (one.dots > 1) repeated.add(one.messageId)
        return !(one.hangUp && one.dots === 1)
      }
      let greeted = dialog !== undefined
      try {
        if (!dialog) {
          dialog = await greet(port)
          greeted = true
          await dialog.say('EHLO flood.example.com', 250)
        }
        const text = await send(dialog, recipient, one.raw, onDot)
        if (text !== undefined) accept(one.messageId, text)
        else {
          dialog = undefined
          pending.unshift(one)
        }
      } catch (error) {
        if (/^expected \d+, got [45]/.test((error as Error).message)) throw error
        dialog?.destroy()
        dialog = undefined
        pending.unshift(one)
        if (!greeted && heard === generation) await revive.promise
      }
    }
    dialog?.write('QUIT\r\n')
  }

  const done = Promise.all(Array.from({ length: connections }, work)).then(() => {})
  done.catch(() => {}) // whoever waits for it is told
  return {
    accepted,
    repeated,
    done,
    untilAccepted: (count) =>
      Promise.race([
        new Promise<void>((resolve) => {
          if (accepted.size >= count) resolve()
          else waiting.push({ count, resolve })
        }),
        done,
      ]),
    resume() {
      generation += 1
      revive.resolve()
      revive = withResolvers()
    },
  }
}

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
