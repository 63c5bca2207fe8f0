import { connect } from 'node:net'

/** One SMTP connection, spoken by hand, so that the moment of the final dot is known. */
export async function openDialogue(smtp) {
  const [host, port] = smtp.split(':')
  const socket = connect(Number(port), host).setEncoding('utf8').setNoDelay()
  let text = ''
  let arrived = () => {}
  socket.on('data', (chunk) => {
    text += chunk
    arrived()
  })
  // A connection that is lost answers nothing: whoever waits for a reply hears of it.
  socket.on('error', () => {})
  socket.once('close', () => {
    text += '421 the connection was closed\r\n'
    arrived()
  })
  const reply = async () => {
    while (!/^\d{3} .*\r\n/m.test(text)) await new Promise((resolve) => (arrived = resolve))
    const answer = text
    text = ''
    if (!/^[23]/.test(answer)) throw new Error(answer)
    return answer
  }
  const say = (line) => {
    socket.write(`${line}\r\n`)
    return reply()
  }
  /** Up to DATA; the mail is the caller's to write. */
  const begin = async (from, ...recipients) => {
    await say(`MAIL FROM:<${from}>`)
    for (const to of recipients) await say(`RCPT TO:<${to}>`)
    await say('DATA')
  }
  await reply()
  await say('EHLO bench.example.com')
  return { socket, begin, reply }
}
