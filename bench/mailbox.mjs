// The third part of npm run bench: the mailbox, with bare `ws` in the same run. Each figure has a process of its own.
import { fileURLToPath } from 'node:url'
import { startProgram } from './processes.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** A program prints its figures when everything that it started has ended. */
async function run(...args) {
  const program = await startProgram(args)
  await program.stop()
  return program.facts
}

console.log('| figure of the mailbox | measured | aim |\n|---|---|---|')
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const percent = (share) => `${Math.round(share * 100)} %`

const frames = await run(at('frames.mjs'))
row(
  'from socket to loop body',
  `${Math.round(frames.perSecond)}/s = ${percent(frames.ratio)} of bare ws and JSON.parse, ${percent(frames.cpuRatio)} by processor time`,
  '≥ 35 %',
)
const consumer = await run(at('consumer.mjs'))
row(
  'a loop with a named consumer, handled and acknowledged',
  `${Math.round(consumer.perSecond)}/s`,
  '≥ 1,000/s',
)
const many = await run(at('many-mailboxes.mjs'))
row(
  '1,000 mailboxes on one service, memory each',
  `${Math.round(many.serviceKb)} KB in the service, ${Math.round(many.ownKb)} KB in the agent`,
  '',
)
row(
  '1,000 mailboxes, end of DATA to loop body, p50 / p99',
  `${many.p50.toFixed(1)} / ${many.p99.toFixed(1)} ms`,
  '',
)
const back = await run('--expose-gc', at('catch-up.mjs'))
row(
  `catching up ${back.events.toLocaleString('en')} events, with a loop over them`,
  `${back.loopSeconds.toFixed(1)} s, at most ${Math.round(back.peakMb)} MB more`,
  `bounded by the cache, ${back.cacheMb} MB`,
)
row('a body of 1 s while 10,000 messages wait', `${back.slowBodyMb.toFixed(1)} MB more`, 'flat')
