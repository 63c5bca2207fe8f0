// An HTTP proxy in front of a service. It forwards requests and WebSockets until it is told to do something else, as
// firewalls, gateways and mobile networks do.
import { createServer, request as requestOf } from 'node:http'
import { connect } from 'node:net'

const statusLine = (status) => `HTTP/1.1 ${status} ${status < 400 ? 'Moved' : 'Refused'}\r\n`

/** A page that no part of the service wrote. */
export const page = (status, headers = {}, body = '<!doctype html><title>Blocked</title>') => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body,
})

const later = (delayMs, run) => void setTimeout(run, delayMs).unref()

/**
 * Starts a proxy in front of `target`. `behave` of the result decides on each request; see faulty-proxy.d.mts.
 */
export async function startFaultyProxy(target) {
  const to = new URL(target)
  const sockets = new Set()
  const upgraded = new Set()
  const frozen = new WeakSet()
  const requests = []
  let behave = () => undefined

  const note = (request, isUpgrade) => {
    const { method, url: path, headers } = request
    const noted = { method, path, headers, isUpgrade, atMs: performance.now() }
    requests.push(noted)
    return noted
  }

  /** Sends a request on, and gives its answer in the way that was asked for. */
  function forward(request, response, { delayMs = 0, cutsAnswer = false, maxBytes } = {}) {
    const { method, url: path, headers } = request
    const upstream = requestOf({ host: to.hostname, port: to.port, method, path, headers }, (answer) => {
      if (frozen.has(request.socket)) return answer.resume()
      if (delayMs === 0 && !cutsAnswer && maxBytes === undefined) {
        response.writeHead(answer.statusCode, answer.headers)
        return answer.pipe(response)
      }
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        if (cutsAnswer) return request.socket.destroy()
        later(delayMs, () => {
          if (frozen.has(request.socket) || response.destroyed) return
          response.writeHead(answer.statusCode, answer.headers)
          const body = Buffer.concat(chunks)
          if (maxBytes === undefined) return response.end(body)
          response.write(body.subarray(0, maxBytes), () => request.socket.destroy())
        })
      })
    })
    upstream.on('error', () => request.socket.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  }

  const server = createServer((request, response) => {
    if (frozen.has(request.socket)) return
    const behaviour = behave(note(request, false)) ?? {}
    if (behaviour.hangs) return void frozen.add(request.socket)
    if (behaviour.cuts) return void request.socket.destroy()
    if (!behaviour.page) return forward(request, response, behaviour)
    const { status, headers, body } = behaviour.page
    request.resume()
    response.writeHead(status, headers).end(body)
  })

  /** Joins both ends of a WebSocket. */
  function join(request, client, head, { delayMs = 0, cutsAfterMs, sends } = {}) {
    const upstream = connect(Number(to.port), to.hostname)
    const pair = { client, upstream }
    upgraded.add(pair)
    const pass = (from, into, waitMs) =>
      from.on('data', (bytes) => {
        const write = () => frozen.has(client) || into.destroyed || into.write(bytes)
        if (waitMs === 0) write()
        else later(waitMs, write)
      })
    pass(client, upstream, 0)
    pass(upstream, client, delayMs)
    const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    if (sends) upstream.once('data', () => later(10, () => client.destroyed || client.write(sends)))
    if (cutsAfterMs !== undefined) upstream.once('data', () => later(cutsAfterMs, () => client.destroy()))
    const end = () => {
      upgraded.delete(pair)
      if (!frozen.has(client)) client.destroy()
      upstream.destroy()
    }
    for (const one of [client, upstream]) one.on('error', end).on('close', end)
  }

  server.on('upgrade', (request, client, head) => {
    client.on('error', () => client.destroy())
    const behaviour = behave(note(request, true)) ?? {}
    if (behaviour.hangs) return void frozen.add(client)
    if (behaviour.cuts) return void client.destroy()
    if (!behaviour.page) return join(request, client, head, behaviour)
    const { status, headers, body } = behaviour.page
    const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    client.end(`${statusLine(status)}${lines.join('')}\r\n${body}`)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  // A frozen request is never answered; the server must not end it by itself.
  server.requestTimeout = 0
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    get sockets() {
      return upgraded.size
    },
    behave(next) {
      behave = next ?? (() => undefined)
    },
    cut,
    freeze() {
      for (const socket of sockets) frozen.add(socket)
    },
    async close() {
      cut()
      for (const { upstream } of upgraded) upstream.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
