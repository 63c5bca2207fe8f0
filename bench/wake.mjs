import { Mailbox } from 'restante'
import { openDialogue } from './smtp-dialogue.mjs'

// A service runs for months: what is measured is not its first second.
const usual = { warmUp: 1_000, samples: 1_000 }

/** A 4 KB mail like those that people write. */
function mail(i) {
  const line = 'The quick brown fox jumps over the lazy dog while the agent reads its mail.\r\n'
  return `From: Ana <ana@example.com>\r\nTo: agent\r\nSubject: Question ${i}\r\nMessage-ID: <wake-${i}-${process.pid}@example.com>\r\nDate: ${new Date().toUTCString()}\r\n\r\n${line.repeat(50)}`
}

/** Milliseconds from the end of DATA to the body of the loop, one mail at a time, after a warm-up. */
export async function wakeLatencies({ url, apiKey, smtp, address }, { warmUp, samples } = usual) {
  const mailbox = await Mailbox.open({ url, apiKey })
  const { socket, begin, reply } = await openDialogue(smtp)
  const latencies = []
  const incoming = mailbox.incoming()
  for (let i = 0; i < warmUp + samples; i++) {
    await begin('ana@example.com', address)
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
