import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What happens to a request: it passes; the answer is a status; the connection is cut while it is sent, or in the middle
 * of the answer; nothing answers; or it waits, and then passes.
 */
type Fault = 'pass' | number | 'cut-request' | 'cut-answer' | 'silence' | Promise<void>

/** A wire to a server of S3 at which requests meet with faults. */
export interface FaultyBucket extends AsyncDisposable {
  endpoint: string
  /** Decides on each request; all pass at first. */
  decide(fault: (method: string, url: string) => Fault): void
  /** The requests that came, as `PUT /mails/…`. */
  readonly asked: string[]
}

/** Lays the wire to a port of this machine. */
export async function startFaultyBucket(target: number): Promise<FaultyBucket> {
  const asked: string[] = []
  let fault: (method: string, url: string) => Fault = () => 'pass'

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, cut = false): void {
    const { method, url, headers } = incoming
    const onward = request({ port: target, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!cut) return answer.pipe(outgoing)
      answer.once('data', (part: Buffer) => outgoing.write(part.subarray(0, 1_000)))
      answer.resume().once('end', () => outgoing.destroy())
    })
    // After an answer it is none of the request's.
    onward.on('error', () => outgoing.headersSent || outgoing.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    asked.push(`${method} ${url}`)
    const meets = fault(method, url)
    if (meets === 'cut-request') incoming.once('readable', () => incoming.destroy())
    else if (typeof meets === 'number')
      incoming.resume().once('end', () => outgoing.writeHead(meets).end('<Error><Code>Faulty</Code></Error>'))
    else if (meets === 'pass' || meets === 'cut-answer') pass(incoming, outgoing, meets === 'cut-answer')
    else if (meets !== 'silence') void meets.then(() => pass(incoming, outgoing))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    decide(decision) {
      fault = decision
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
