import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/protocol/time/clock'
import { start } from '../../cli/support/cli'
import { openReal } from '../../mailbox/support/real'
import { openService } from '../../support/service'
import { type LoopAgentName, runLoop } from './loops'

/** Mail comes in, and what the agent says last goes out; it is streamed, and knows what its tools told. */
export const answers = async (name: LoopAgentName) => {
  await using real = await openReal()
  const reported: string[] = []
  const pieces: string[] = []
  const next = (last: string) => {
    reported.push(last)
    const thread = /m\d+-\w{3}/.exec(last)?.[0]
    return reported.length === 1 ? { tool: 'read_thread', input: { thread } } : 'Yes, it is blue.'
  }
  const run = runLoop(name, real.mailbox, next, (piece) => pieces.push(piece))
  onTestFinished(() => run.stop())
  await real.real.mail({ subject: 'Bicycle', text: 'Is it blue?' })
  await expect.poll(() => real.sentMail()).toHaveLength(1)
  expect((await real.sentMail())[0]).toMatchObject({ to: ['ana@example.com'], text: 'Yes, it is blue.' })
  expect(reported[1]).toContain('Is it blue?')
  expect(pieces).toEqual(['Yes, ', 'it ', 'is ', 'blue.'])
}

/** A process is killed once its agent has answered by a tool; the next one goes on, and nobody is answered twice. */
export const answersOnce = async (name: LoopAgentName) => {
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
