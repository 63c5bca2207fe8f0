// npm run bench: the figures of docs/figures.md, with the reference in the same run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, percentile } from './figures.mjs'
import { residentMb, startProgram } from './processes.mjs'
import { acceptedPerSecond } from './smtp-source.mjs'
import { wakeLatencies } from './wake.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const rounds = 5
const messages = 4_000

async function startService() {
  const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  const program = await startProgram([at('service.mjs'), data])
  const stop = async () => {
    await program.stop()
    await rm(data, { recursive: true })
  }
  return { ...program.facts, pid: program.pid, stop }
}

/** Accepted per second by both, in turn, so that a change of the machine's speed harms neither. */
async function compareAccepted(service, reference, reuse) {
  const ours = []
  const bare = []
  // The first round of each is for warming up.
  for (let round = 0; round <= rounds; round++) {
    const others = await acceptedPerSecond({
      smtp: reference.facts.smtp,
      to: 'you@example.com',
      messages,
      reuse,
    })
    const own = await acceptedPerSecond({ smtp: service.smtp, to: service.address, messages, reuse })
    if (round === 0) continue
    bare.push(others)
    ours.push(own)
  }
  const ratios = ours.map((figure, i) => figure / bare[i])
  return { ours: median(ours), bare: median(bare), ratio: median(ratios) }
}

async function startUpMs() {
  const samples = []
  for (let i = 0; i < rounds; i++) {
    const program = await startProgram([at('start-up.mjs')])
    samples.push(program.facts.ms)
    await program.stop()
  }
  return median(samples)
}

const table = []
const row = (figure, value, bar) => table.push([figure, value, bar])
const perSecond = ({ ours, bare, ratio }) =>
  `${Math.round(ours)}/s = ${Math.round(ratio * 100)} % of ${Math.round(bare)}/s`

const service = await startService()
const reference = await startProgram([at('reference-smtp.mjs')])
try {
  await pause(3_000)
  row('memory of an idle service', `${Math.round(residentMb(service.pid))} MB`, '≤ 130 MB')
  const latencies = await wakeLatencies(service)
  row('end of DATA to loop body, p50', `${percentile(latencies, 0.5).toFixed(2)} ms`, '≤ 2 ms')
  row('end of DATA to loop body, p99', `${percentile(latencies, 0.99).toFixed(2)} ms`, '≤ 10 ms')
  row('accepted, connections reused', perSecond(await compareAccepted(service, reference, true)), '≥ 25 %')
  row('accepted, a connection each', perSecond(await compareAccepted(service, reference, false)), '≥ 40 %')
  row(
    `memory after ${(2 * (rounds + 1) * messages + latencies.length).toLocaleString('en')} messages`,
    `${Math.round(residentMb(service.pid))} MB`,
    '',
  )
  row('createService() in memory', `${Math.round(await startUpMs())} ms`, '≤ 150 ms')
} finally {
  await service.stop()
  await reference.stop()
}

console.log('| figure | measured | bar |\n|---|---|---|')
for (const cells of table) console.log(`| ${cells.join(' | ')} |`)
