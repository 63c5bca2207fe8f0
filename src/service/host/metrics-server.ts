import { createServer, type Server } from 'node:http'
import type { Logger } from '../ports'

/** Answers `GET /metrics` in the text format of Prometheus, and nothing else, to whoever reaches its port. */
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
