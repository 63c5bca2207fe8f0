// npm run profile -- accept|wake|reply [--messages 5000] [--to FOLDER]
// Where the service spends its processor time: CPU profiles of all threads, and microseconds per message by module.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Mailbox } from 'restante'
import { processorMs, startProgram } from './processes.mjs'
import { acceptedPerSecond } from './smtp-source.mjs'
import { startSink } from './soak-sink.mjs'
import { wakeLatencies } from './wake.mjs'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    messages: { type: 'string', default: '5000' },
    to: { type: 'string', default: 'profiles' },
  },
})
const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const warmUp = 1_000
/** Rows of a table; what costs less is summed up in the last one. */
const rowsOfTable = 30

/** What is profiled: each takes the facts of a service, and how many messages it sends. */
const workloads = {
  async accept(facts, messages) {
    await deliver(facts, messages)
  },
  async wake(facts, messages) {
    await wakeLatencies(facts, { warmUp: 0, samples: messages })
  },
  async reply(facts, messages) {
    const mailbox = await Mailbox.open({ url: facts.url, apiKey: facts.apiKey })
    const incoming = mailbox.incoming({ consumer: 'profile', from: 'now' })
    const accepted = deliver(facts, messages)
    for (let i = 0; i < messages; i++) {
      const { value } = await incoming.next()
      await value.reply({ text: 'Thank you, we look into it.' })
    }
    await accepted
    await mailbox.close()
  },
}

const deliver = ({ smtp, address }, messages) =>
  acceptedPerSecond({ smtp, to: address, messages, reuse: true })

const [kind = ''] = positionals
if (positionals.length !== 1 || !Object.hasOwn(workloads, kind)) {
  console.error(`Say what to profile: npm run profile -- ${Object.keys(workloads).join('|')}`)
  process.exit(2)
}

/** The module that each line of a bundle comes from: esbuild writes its path above it. */
async function modulesOf(file) {
  const lines = (await readFile(file, 'utf8')).split('\n')
  let module = file
  return lines.map((line) => {
    const found = /^ *\/\/ ((?:src|adapters|node_modules)\/\S+)$/.exec(line)
    if (found) module = found[1]
    return module
  })
}

const bundles = new Map()
async function moduleOf({ url, functionName, lineNumber }) {
  if (!url) return functionName // (garbage collector), (program), (idle), native functions
  if (!url.startsWith('file:')) return url
  const file = fileURLToPath(url)
  if (!file.includes('/dist/')) return file.replace(/^.*\/(?=node_modules\/)/, '')
  if (!bundles.has(file)) bundles.set(file, await modulesOf(file))
  return bundles.get(file)[lineNumber]
}

/** Microseconds of one thread by module, without its idle time. */
async function costsOf(profile) {
  const { nodes, samples, timeDeltas } = profile
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const costs = new Map()
  for (const [i, id] of samples.entries()) {
    const frame = byId.get(id)
    // The profiler itself is `dispatch`.
    if (['(idle)', 'dispatch'].includes(frame.functionName)) continue
    const module = await moduleOf(frame)
    costs.set(module, (costs.get(module) ?? 0) + timeDeltas[i])
  }
  return costs
}

/** What a thread does is told by its module that costs most outside of Node. */
const nameOf = (costs) =>
  [...costs].filter(([module]) => /^(?:src|node_modules)\//.test(module)).sort((a, b) => b[1] - a[1])[0]?.[0]

function printTable(name, costs, messages) {
  const sorted = [...costs].sort((a, b) => b[1] - a[1])
  const sum = sorted.reduce((total, [, us]) => total + us, 0)
  const rest = sorted.slice(rowsOfTable).reduce((total, [, us]) => total + us, 0)
  console.log(`\n${name}: ${(sum / messages).toFixed(0)} µs per message\n`)
  console.log('| module | µs per message | share |\n|---|---|---|')
  for (const [module, us] of [...sorted.slice(0, rowsOfTable), ['all others', rest]])
    console.log(`| ${module} | ${(us / messages).toFixed(1)} | ${((us / sum) * 100).toFixed(1)} % |`)
}

const folder = resolve(given.to, kind)
await rm(folder, { recursive: true, force: true })
const data = await mkdtemp(join(tmpdir(), 'restante-profile-'))
const sink = await startSink()
const program = await startProgram([at('service.mjs'), data], {
  // Not by an argument: some threads take none.
  NODE_OPTIONS: `--import ${new URL('profile-thread.mjs', import.meta.url)}`,
  // A worker that waits by Atomics would not hear of the end.
  PISCINA_DISABLE_ATOMICS: '1',
  RESTANTE_EMBEDDINGS: 'off',
  RESTANTE_DELIVERY: `smtp://127.0.0.1:${sink.port}`,
  RESTANTE_PROFILE_TO: folder,
})
const messages = Number(given.messages)
let cpuMs = 0
try {
  // A service runs for months: its first second is not of interest.
  await deliver(program.facts, warmUp)
  const before = processorMs(program.pid)
  process.kill(program.pid, 'SIGUSR2')
  await workloads[kind](program.facts, messages)
  process.kill(program.pid, 'SIGUSR2')
  cpuMs = processorMs(program.pid) - before
  await pause(2_000)
} finally {
  await program.stop()
  await sink.close()
  await rm(data, { recursive: true })
}

const all = new Map()
const threads = []
for (const file of (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'))) {
  const costs = await costsOf(JSON.parse(await readFile(join(folder, file), 'utf8')))
  for (const [module, us] of costs) all.set(module, (all.get(module) ?? 0) + us)
  threads.push({ file, costs })
}
for (const { file, costs } of threads) printTable(`${file} (most in ${nameOf(costs)})`, costs, messages)
printTable(`All ${threads.length} threads`, all, messages)
console.log(
  `\nProcessor time of the process, with all that runs no JavaScript: ${((cpuMs / messages) * 1_000).toFixed(0)} µs per message.`,
)
console.log(`\nThe profiles are in ${folder}; Chromium's developer tools open them.`)
