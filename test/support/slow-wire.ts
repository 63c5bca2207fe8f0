import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A wire to a port of this machine that can be held, so that nobody reads what the far side writes. */
export interface SlowWire {
  port: number
  hold(): void
  release(): void
}

interface Strand {
  near: Socket
  far: Socket
}

/** Lays the wire, until the test ends. */
export async function startSlowWire(target: number): Promise<SlowWire> {
  const strands = new Set<Strand>()
  let held = false

  function join(near: Socket): void {
    const far = connect(target, '127.0.0.1')
    const strand = { near, far }
    strands.add(strand)
    near.pipe(far)
    if (!held) far.pipe(near)
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.once('close', () => {
        near.destroy()
        far.destroy()
        strands.delete(strand)
      })
    }
  }

  const server = createServer(join).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const { near } of strands) near.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      held = true
      for (const { far, near } of strands) far.unpipe(near).pause()
    },
    release() {
      held = false
      for (const { far, near } of strands) far.pipe(near)
    },
  }
}
