import { SMTPServer } from 'smtp-server'

const headerOf = (text, name) => new RegExp(`^${name}: *(?:\\r\\n[ \\t]+)?(\\S+)`, 'im').exec(text)?.[1]

/**
 * An SMTP server that keeps of each mail its Message-ID, and what it answers; it may take its time before it says so.
 * While `defers` of the result is true, it takes none for now.
 */
export async function startSink({ delayMs = 0 } = {}) {
  const mails = []
  const sink = { mails, defers: false }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(sink.defers ? Object.assign(new Error('4.3.2 try again'), { responseCode: 451 }) : undefined)
    },
    onData(stream, _session, done) {
      let head = ''
      stream.on('data', (chunk) => {
        if (head.length < 16_384) head += chunk.toString('latin1')
      })
      stream.on('end', () => {
        mails.push({
          messageId: headerOf(head, 'Message-ID'),
          answers: headerOf(head, 'In-Reply-To'),
          atMs: Date.now(),
        })
        setTimeout(done, delayMs)
      })
    },
  })
  server.on('error', () => {}) // a client that was killed
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(sink, {
    port: server.server.address().port,
    close: () => new Promise((resolve) => server.close(resolve)),
  })
}
