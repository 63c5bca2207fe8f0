import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/protocol/time'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { type Framework, factsOf } from '../support/frameworks'
import { obstacle, proves } from '../support/proves'
import { openService } from '../support/service'
import { openProject } from '../support/tarball'
import { type LoopAgentName, runLoop } from './support/loops'

/** Mail comes in, and what the agent says last goes out; it is streamed, and knows what its tools told. */
const answers = async (name: LoopAgentName) => {
  await using real = await openReal()
  const told: string[] = []
  const pieces: string[] = []
  const next = (last: string) => {
    told.push(last)
    const thread = /m\d+-\w{3}/.exec(last)?.[0]
    return told.length === 1 ? { tool: 'read_thread', input: { thread } } : 'Yes, it is blue.'
  }
  const run = runLoop(name, real.mailbox, next, (piece) => pieces.push(piece))
  onTestFinished(() => run.stop())
  await real.real.mail({ subject: 'Bicycle', text: 'Is it blue?' })
  await expect.poll(() => real.sentMail()).toHaveLength(1)
  expect((await real.sentMail())[0]).toMatchObject({ to: ['ana@example.com'], text: 'Yes, it is blue.' })
  expect(told[1]).toContain('Is it blue?')
  expect(pieces).toEqual(['Yes, ', 'it ', 'is ', 'blue.'])
}

/** A process is killed once its agent has answered by a tool; the next one goes on, and nobody is answered twice. */
const answersOnce = async (name: LoopAgentName) => {
  let aheadMs = 0
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  await using real = await openService({}, { clock })
  const { url } = await real.listen()
  const loop = (until: string) =>
    start(process.execPath, [
      ...['node_modules/jiti/lib/jiti-cli.mjs', 'test/adapters/support/run-loop.ts'],
      ...[url, real.home.apiKey, name, until],
    ])
  await real.mail({ subject: 'Bicycle', text: 'Is it blue?' })
  const first = loop('killed')
  await first.out(/told .*sent/)
  await first.kill('SIGKILL')
  // The lease of the dead ends.
  aheadMs += 60_000
  const second = loop('done')
  await second.out(/told .*sent/)
  const left = async () => {
    const { waiting, leased } = (await real.call('GET', '/consumers/desk')).body
    return [waiting, leased]
  }
  await expect.poll(left).toEqual([0, 0])
  await second.kill('SIGKILL')
  const { messages } = (await real.call('GET', '/messages?direction=outbound')).body
  expect(messages.map(({ preview }: { preview: string }) => preview)).toEqual(['Yes, says killed.'])
}

proves('Strands Agents', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('strands'),
)
proves('Strands Agents', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('strands'),
)
proves('Genkit', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () => answers('genkit'))
proves('Genkit', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('genkit'),
)
proves('VoltAgent', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('voltagent'),
)
proves('VoltAgent', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('voltagent'),
)

const bundled: [Framework, string, string][] = [
  ['Strands Agents', 'strands', '@strands-agents/sdk'],
  ['Genkit', 'genkit', 'genkit'],
  ['VoltAgent', 'voltagent', '@voltagent/core'],
]
test.for(bundled)('tools for %s run in a bundle beside it', async ([framework, entry, needs], { skip }) => {
  skip(obstacle(factsOf(framework)) !== null, needs)
  const folder = await openProject({ [needs]: needs })
  const program = `
    import { createMailboxTools } from 'restante/${entry}'
    const made = createMailboxTools({ inboxes: [] }, { readOnly: true })
    console.log(typeof made)`
  await writeFile(join(folder, 'app.mjs'), program)
  const { warnings, metafile } = await build({
    ...{
      absWorkingDir: folder,
      entryPoints: ['app.mjs'],
      outfile: 'bundle.mjs',
      bundle: true,
      format: 'esm',
    },
    ...{ platform: 'node', logLevel: 'silent', external: [needs, `${needs}/*`], metafile: true },
  })
  expect(warnings).toEqual([])
  const inputs = Object.keys(metafile.inputs).join('\n')
  expect(inputs).toContain(`restante/dist/${entry}.js`)
  expect(inputs).not.toMatch(/restante\/dist\/(?:service|cli)\.js/)
  const { code, out, err } = await start(process.execPath, ['bundle.mjs'], { cwd: folder }).ended
  expect({ code, out }, err).toEqual({ code: 0, out: 'object\n' })
})
