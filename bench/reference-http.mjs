// The reference: a bare Hono route that answers a JSON of the same size as GET /account does.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const answer = { text: 'x'.repeat(Number(process.argv[2])) }
const app = new Hono().get('/v1/account', (c) => c.json(answer))
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/v1`, apiKey: 'none' }))
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
