import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, start, startDev, temporaryFolder } from './cli/support/cli'

const root = join(import.meta.dirname, '..')

/** Runs an example as its own process, to its end. */
const runExample = (name: string) =>
  start(process.execPath, ['node_modules/jiti/lib/jiti-cli.mjs', `examples/${name}`]).ended

/** Every example, with what it must be seen to do. */
const examples: Record<string, () => Promise<void>> = {
  'echo-agent.ts': async () => {
    const data = await temporaryFolder()
    const { dev, facts } = await startDev(['--data', data, '--agent', 'examples/echo-agent.ts'])
    await runCli(['send', facts.address, 'Is anybody there?', '--smtp', facts.smtp])
    const { message_id } = await dev.line({ event: 'message.sent', subject: 'Re: Hello' })
    const answer = await fetch(`${facts.url}/messages/${message_id}`, {
      headers: { authorization: `Bearer ${facts.api_key}` },
    })
    expect(await answer.json()).toMatchObject({
      to_addrs: ['you@example.com'],
      body_text: expect.stringContaining('You wrote:\n\nIs anybody there?'),
    })
  },
  'embedded.ts': async () => {
    expect(await runExample('embedded.ts')).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^agent@restante\.localhost wrote: Remember the milk\.\nanswered in thread thr_\w+\n$/,
      ),
    })
  },
}

describe('every example', () => {
  it.each(readdirSync(join(root, 'examples')))('%s runs', async (name) => {
    const run = examples[name]
    if (!run) throw new Error(`examples/${name} has no test: add one to test/examples.test.ts`)
    await run()
  })
})
