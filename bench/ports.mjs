import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port that was free a moment ago, for programs that take a port and no socket. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Resolves once a process takes connections at a port of 127.0.0.1; false where it ended instead. */
export async function untilListening(port, child) {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const connected = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (connected) return true
    await sleep(50)
  }
  return false
}
