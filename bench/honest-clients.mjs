// The honest clients of hostile-mail.mjs: measures how soon the service answers, and sends the figures to the parent process.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openDialogue } from './smtp-dialogue.mjs'

const service = JSON.parse(process.argv[2])
const endsAtMs = Date.now() + Number(process.argv[3])
/** Pause between two samples of each measure. */
const pauseMs = 100

/** The time until a server greets. */
function greetingMs(smtp) {
  const [host, port] = smtp.split(':')
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host)
    socket.once('error', reject)
    socket.once('data', () => {
      socket.destroy()
      resolve(performance.now() - started)
    })
  })
}

async function healthMs(url) {
  const started = performance.now()
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(120_000) })
  await answer.text()
  return performance.now() - started
}

async function honestMs(service, number) {
  const started = performance.now()
  const { socket, begin, reply } = await openDialogue(service.smtp)
  await begin('ana@example.com', service.address)
  socket.write(`From: ana@example.com\r\nSubject: ${number}\r\n\r\nhello ${number}\r\n.\r\n`)
  await reply()
  socket.destroy()
  return performance.now() - started
}

async function samples(take) {
  const found = []
  let failed = 0
  for (let number = 0; Date.now() < endsAtMs; number += 1) {
    try {
      found.push(await take(number))
    } catch {
      failed += 1
    }
    await pause(pauseMs)
  }
  return { found: found.sort((a, b) => a - b), failed }
}

const [health, greeting, honest] = await Promise.all([
  samples(() => healthMs(service.url)),
  samples(() => greetingMs(service.smtp)),
  samples((number) => honestMs(service, number)),
])
process.send({ health, greeting, honest })
process.disconnect()
