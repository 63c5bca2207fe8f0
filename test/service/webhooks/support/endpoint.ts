import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that an endpoint was sent. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any event
  event: any
}

export type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => void

/** An HTTP server on loopback that keeps what it was sent and answers as it is told. */
export interface Endpoint {
  url: string
  port: number
  received: Received[]
  /** Counts of the requests that wait for their answer, at most and now. */
  maxOpen: number
  connections: number
  answer: Answering
  close(): Promise<void>
}

/** Answers with a status. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(code, headers).end(body)

/** Takes the request and says nothing, ever. */
export const silence: Answering = () => {}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export async function startEndpoint(answer: Answering = status(200, 'ok')): Promise<Endpoint> {
  let open = 0
  const server = createServer(async (request, response) => {
    open += 1
    endpoint.maxOpen = Math.max(endpoint.maxOpen, open)
    response.on('close', () => (open -= 1))
    const body = await readAll(request)
    const received = { headers: request.headers, body, event: JSON.parse(body) }
    endpoint.received.push(received)
    endpoint.answer(response, received, request)
  })
  server.on('connection', () => (endpoint.connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    maxOpen: 0,
    connections: 0,
    answer,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return endpoint
}
