import type { MessagePort } from 'node:worker_threads'

/** Ends this thread. In Deno, the port of a thread has no `close`. */
export function endThread(port: MessagePort): void {
  if (typeof port.close === 'function') port.close()
  else process.exit()
}
