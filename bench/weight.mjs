// Prints what it costs to load the package: medians of ten runs, beside a bare `node -e 0` in the same run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createService } from 'restante/service'
import { median } from './figures.mjs'

const runs = 10

/** The milliseconds that a process takes. */
async function timeOf(args) {
  const started = performance.now()
  const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - started
}

const importing = (entry) => ['--input-type=module', '--eval', `import '${entry}'`]
const service = await createService({ smtp: '127.0.0.1:0', http: '127.0.0.1:0', log: 'silent' })
const { smtp } = await service.listen()
const { address } = await service.home()

/** Each with the most that it is to take: more than bare node, or by itself. */
const cases = [
  ["`import 'restante'`, more than bare node", importing('restante'), 40],
  ["`import 'restante/webhook'`, more than bare node", importing('restante/webhook'), null],
  ["`import 'restante/service'`, more than bare node", importing('restante/service'), 120],
  ['`restante --help`, more than bare node', ['dist/cli.js', '--help'], 60],
  ['`restante send`, the whole', ['dist/cli.js', 'send', '--smtp', smtp, address, 'Hello'], 300],
]
const bare = []
const times = cases.map(() => [])
for (let run = 0; run < runs; run += 1) {
  bare.push(await timeOf(['-e', '0']))
  for (const [i, [, args]] of cases.entries()) times[i].push(await timeOf(args))
}
console.log(
  `| figure | measured | aim |\n|---|---|---|\n| bare \`node -e 0\` | ${Math.round(median(bare))} ms | |`,
)
for (const [i, [name, , most]] of cases.entries()) {
  const ms = median(times[i]) - (name.includes('more than') ? median(bare) : 0)
  console.log(`| ${name} | ${Math.round(ms)} ms | ${most ? `≤ ${most} ms` : ''} |`)
}
await service.close()
