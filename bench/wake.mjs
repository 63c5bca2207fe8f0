import { connect } from 'node:net'
import { Mailbox } from 'restante'

const warmUp = 100
const samples = 1_000

/** A 4 KB mail like those that people write. */
function mail(i) {
  const line = 'The quick brown fox jumps over the lazy dog while the agent reads its mail.\r\n'
  return `From: Ana <ana@example.com>\r\nTo: agent\r\nSubject: Question ${i}\r\nMessage-ID: <wake-${i}-${process.pid}@example.com>\r\nDate: ${new Date().toUTCString()}\r\n\r\n${line.repeat(50)}`
}

/** One SMTP connection, spoken by hand, so that the moment of the final dot is known. */
async function openDialogue(smtp) {
  const [host, port] = smtp.split(':')
  const socket = connect(Number(port), host).setEncoding('utf8').setNoDelay()
  let text = ''
  let arrived = () => {}
  socket.on('data', (chunk) => {
    text += chunk
    arrived()
  })
  const reply = async () => {
    while (!/^\d{3} .*\r\n/m.test(text)) await new Promise((resolve) => (arrived = resolve))
    const answer = text
    text = ''
    if (!/^[23]/.test(answer)) throw new Error(answer)
  }
  const say = (line) => {
    socket.write(`${line}\r\n`)
    return reply()
  }
  await reply()
  await say('EHLO bench.example.com')
  return { socket, say, reply }
}

/** Milliseconds from the end of DATA to the body of the loop, one mail at a time. */
export async function wakeLatencies({ url, apiKey, smtp, address }) {
  const mailbox = await Mailbox.open({ url, apiKey })
  const { socket, say, reply } = await openDialogue(smtp)
  const latencies = []
  const incoming = mailbox.incoming()
  for (let i = 0; i < warmUp + samples; i++) {
    await say('MAIL FROM:<ana@example.com>')
    await say(`RCPT TO:<${address}>`)
    await say('DATA')
    const woken = incoming.next()
    const sent = performance.now()
    socket.write(`${mail(i)}\r\n.\r\n`)
    await woken
    if (i >= warmUp) latencies.push(performance.now() - sent)
    await reply()
  }
  socket.end()
  await mailbox.close()
  return latencies
}
