// The reference: smtp-server that throws mail away, with the 100 ms wait before its greeting taken out.
import { SMTPServer } from 'smtp-server'

const greetingWaitMs = 100
const later = globalThis.setTimeout
globalThis.setTimeout = (callback, delayMs, ...rest) =>
  later(callback, delayMs === greetingWaitMs ? 0 : delayMs, ...rest)

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    stream.resume()
    stream.once('end', callback)
  },
})

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ smtp: `127.0.0.1:${server.server.address().port}` }))
})
process.on('SIGTERM', () => server.close(() => process.exit(0)))
