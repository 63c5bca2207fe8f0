import { createServer, type Server } from 'node:http'
import type { Logger } from '../ports'

/** Creates a server for `GET /metrics` in the text format of Prometheus, without authentication. */
export const createMetricsServer = (read: () => Promise<string>, logger: Logger): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
    read().then(
      (text) =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (error) => {
        logger.error({ error }, 'the metrics could not be read')
        response.writeHead(503).end()
      },
    )
  })
