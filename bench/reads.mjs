import { median, percentile } from './figures.mjs'
import { runProgram } from './processes.mjs'

const rounds = 5
const callsPerRound = 60

async function callOn(service, path, init = {}) {
  const started = performance.now()
  const response = await fetch(`${service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return { ms: performance.now() - started, body }
}

/** The newest messages with these words. */
export const search = (service, words) => callOn(service, `/messages?limit=25&q=${encodeURIComponent(words)}`)

/** Calls that agents make, by name; each takes the turn of the call, so that no answer is remembered. */
async function callsOf(service, seen) {
  const call = (path, init) => callOn(service, path, init)
  const ids = []
  for (let cursor = ''; ids.length < seen; ) {
    const { body } = await call(`/messages?limit=100&direction=inbound${cursor}`)
    ids.push(...body.messages.map((message) => message.id))
    if (!body.next_cursor) break
    cursor = `&cursor=${body.next_cursor}`
  }
  const searches = ['word3', 'word4100', 'word3 word40', '"word1 word2"', 'person77@example.com']
  return {
    read: (i) => call(`/messages/${ids[i % ids.length]}`),
    list: (i) => call(`/messages?limit=25&direction=${i % 2 ? 'inbound' : 'outbound'}`),
    search: (i) => search(service, searches[i % searches.length]),
    reply: (i) =>
      call(`/messages/${ids[i % ids.length]}/reply`, {
        method: 'POST',
        body: JSON.stringify({ text: `An answer, the ${i}th.` }),
      }),
  }
}

/** Milliseconds of each call in few and in much mail, in turn: p50 and p99, and how far p50 grows. Each is of one account or of several. */
export async function readFigures(small, large) {
  const places = []
  for (const accounts of [small, large])
    places.push(await Promise.all(accounts.map((account) => callsOf(account, 1_000))))
  const figures = []
  for (const name of Object.keys(places[0][0])) {
    const samples = [[], []]
    const growths = []
    for (let round = 0; round <= rounds; round++) {
      const medians = []
      for (const [k, calls] of places.entries()) {
        const times = []
        for (let i = 0; i < callsPerRound; i++) {
          const call = round * callsPerRound + i
          times.push((await calls[call % calls.length][name](call)).ms)
        }
        medians.push(median(times))
        if (round > 0) samples[k].push(...times)
      }
      if (round > 0) growths.push(medians[1] / medians[0])
    }
    const [few, many] = samples.map((times) => [percentile(times, 0.5), percentile(times, 0.99)])
    figures.push({ name, few, many, growth: median(growths) })
  }
  return figures
}

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
