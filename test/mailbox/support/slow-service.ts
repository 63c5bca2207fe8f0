import type { ServiceLike } from '../../../src/client/client'
import type { SocketLike } from '../../../src/client/platform/platform'

/** A service whose answers and sockets a test can hold up and cut. */
export interface SlowService extends ServiceLike {
  /** From now on, what GET was answered is kept back, as it was then. */
  hold(): void
  /** Lets go of what was kept back, and keeps nothing back any more. */
  release(): void
  /** Breaks all sockets. */
  cut(): void
}

/** Stands between a mailbox and a service. */
export const slowService = (service: ServiceLike): SlowService => {
  const sockets = new Set<SocketLike>()
  let held: (() => void)[] | null = null
  return {
    home: () => service.home(),
    async fetch(request) {
      const answer = await service.fetch(request)
      const { held: queue } = { held }
      if (queue && request.method === 'GET' && !request.url.includes('/events'))
        await new Promise<void>((resolve) => queue.push(resolve))
      return answer
    },
    socket(options) {
      const socket = service.socket(options)
      sockets.add(socket)
      return socket
    },
    hold() {
      held ??= []
    },
    release() {
      for (const go of held ?? []) go()
      held = null
    },
    cut() {
      for (const socket of sockets) socket.close()
      sockets.clear()
    },
  }
}
