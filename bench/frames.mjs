// Prints events per second from the socket to the body of a loop, and of the same frames taken by bare `ws` and JSON.parse.
import { fileURLToPath } from 'node:url'
import { Mailbox } from 'restante'
import { WebSocket } from 'ws'
import { median } from './figures.mjs'
import { startProgram } from './processes.mjs'

const rounds = 5
const frames = 20_000

const source = await startProgram([fileURLToPath(new URL('frame-source.mjs', import.meta.url))])
const { host } = source.facts
const opened = (socket) => new Promise((resolve) => socket.once('open', () => resolve(socket)))
const go = await opened(new WebSocket(`ws://${host}/go`))

/** Time from the first frame to the last: on the wall, and of this process, which others on the machine do not change. */
function stopwatch() {
  const started = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { wall: (frames / (performance.now() - started)) * 1_000, cpu: (frames / (user + system)) * 1e6 }
  }
}

async function bare() {
  const socket = await opened(new WebSocket(`ws://${host}/raw`, { perMessageDeflate: false }))
  let count = 0
  let stop
  const done = new Promise((resolve) => {
    socket.on('message', (data) => {
      if (JSON.parse(data.toString()).type !== 'event') return
      if (count === 0) stop = stopwatch()
      count += 1
      if (count === frames) resolve(stop())
    })
  })
  go.send(String(frames))
  const figures = await done
  socket.terminate()
  return figures
}

async function looped() {
  const mailbox = await Mailbox.open({ url: `http://${host}`, apiKey: 'bench' })
  let count = 0
  let stop
  const incoming = mailbox.incoming()
  go.send(String(frames))
  for await (const message of incoming) {
    if (message.text.length === 0) throw new Error('a message without a text')
    if (count === 0) stop = stopwatch()
    count += 1
    if (count === frames) break
  }
  const figures = stop()
  await mailbox.close()
  return figures
}

const ours = []
const ratios = []
const cpuRatios = []
for (let round = 0; round <= rounds; round++) {
  const reference = await bare()
  const own = await looped()
  if (round === 0) continue
  ours.push(own.wall)
  ratios.push(own.wall / reference.wall)
  cpuRatios.push(own.cpu / reference.cpu)
}
go.terminate()
await source.stop()
console.log(JSON.stringify({ perSecond: median(ours), ratio: median(ratios), cpuRatio: median(cpuRatios) }))
