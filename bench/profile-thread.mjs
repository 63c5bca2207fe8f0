// Loaded into every thread of a profiled service: profiles it from one SIGUSR2 to the next, into RESTANTE_PROFILE_TO.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

const folder = process.env.RESTANTE_PROFILE_TO
const session = new Session()
session.connect()
session.post('Profiler.enable')

let isRunning = false
function setRunning(wanted) {
  if (wanted === isRunning) return
  isRunning = wanted
  if (wanted) return session.post('Profiler.start')
  session.post('Profiler.stop', (error, { profile } = {}) => {
    if (error) throw new Error(`no profile of thread ${threadId}: ${error.message}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `thread-${threadId}.cpuprofile`), JSON.stringify(profile))
  })
}

const channel = new BroadcastChannel('profile')
channel.unref()
if (isMainThread) {
  // A thread that starts later asks.
  channel.onmessage = () => channel.postMessage(isRunning)
  process.on('SIGUSR2', () => {
    setRunning(!isRunning)
    channel.postMessage(isRunning)
  })
} else {
  channel.onmessage = ({ data }) => setRunning(data)
  channel.postMessage('asks')
}
