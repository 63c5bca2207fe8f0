import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A wire to a port of this machine that can be held, so that nobody reads what the far side writes. */
export interface SlowWire {
  port: number
  hold(): void
  release(): void
  /** Loses all connections that it has now without a word: what either side writes comes nowhere. New ones work. */
  lose(): void
}

interface Strand {
  near: Socket
  far: Socket
}

/** Lays the wire, until the test ends. */
export async function startSlowWire(target: number): Promise<SlowWire> {
  const strands = new Set<Strand>()
  /** With those that are lost. */
  const all = new Set<Strand>()
  let held = false

  function join(near: Socket): void {
    const far = connect(target, '127.0.0.1')
    const strand = { near, far }
    strands.add(strand)
    all.add(strand)
    near.pipe(far)
    if (!held) far.pipe(near)
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.once('close', () => {
        near.destroy()
        far.destroy()
        strands.delete(strand)
        all.delete(strand)
      })
    }
  }

  const server = createServer(join).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const { near } of all) near.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      held = true
      for (const { far, near } of strands) far.unpipe(near).pause()
    },
    lose() {
      for (const { far, near } of strands) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
      strands.clear()
    },
    release() {
      held = false
      for (const { far, near } of strands) far.pipe(near)
    },
  }
}
