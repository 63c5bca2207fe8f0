import { runProgram } from './processes.mjs'

/** Requests per second of GET /account, from wrk with 20 connections. */
export async function requestsPerSecond({ url, apiKey }) {
  const output = await runProgram('wrk', [
    '-t1',
    '-c20',
    '-d3s',
    '-H',
    `Authorization: Bearer ${apiKey}`,
    `${url}/account`,
  ]).catch((error) => {
    throw new Error(`This needs wrk (Debian: apt-get install wrk): ${error.message}`)
  })
  if (/Non-2xx/.test(output)) throw new Error(output)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1])
}
