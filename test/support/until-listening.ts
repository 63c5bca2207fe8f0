import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Resolves once a process takes connections at a port of 127.0.0.1; false where it ended instead. */
export async function untilListening(port: number, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const connected = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (connected) return true
    await pause(50)
  }
  return false
}
