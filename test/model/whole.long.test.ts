import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Way, ways } from './crew'
import { parameters, wholeRuns } from './runs'
import { places, Scene } from './scene'

const step = (name: string, run: (scene: Scene) => Promise<unknown> | undefined) => ({
  check: () => true,
  run: async (_model: object, scene: Scene) => void (await run(scene)),
  toString: () => name,
})

const one = (name: string, run: (scene: Scene) => Promise<unknown> | undefined) =>
  fc.constant(step(name, run))
const commands = [
  fc.nat(2).map((thread) => step(`write ${thread}`, (scene) => scene.write(thread))),
  fc.nat(2).map((thread) => step(`write again ${thread}`, (scene) => scene.write(thread))),
  fc
    .tuple(fc.constantFrom(...places), fc.constantFrom('drop', 'delay', 'duplicate', 'reorder'))
    .map(([place, kind]) => step(`${kind} ${place}`, (scene) => scene.fault(place, kind as 'drop'))),
  fc.constantFrom<Way>(...ways).map((way) => step(`a worker that ${way}`, (scene) => scene.work(way))),
  fc.nat(20).map((seconds) => step(`${seconds} s`, (scene) => scene.world.advance({ seconds }))),
  fc.nat(9).map((index) => step(`webhook ${index} again`, (scene) => scene.repeatWebhook(index))),
  one('a webhook handler throws', async (scene) => scene.failHook()),
  fc.nat(3).map((mails) => step(`days are missed, with ${mails} mails`, (scene) => scene.missDays(mails))),
  one('disconnect', async (scene) => scene.world.disconnect()),
  one('restart the service', (scene) => scene.world.restart()),
  one('restart the mailbox', (scene) => scene.reopen()),
]

test.skipIf(wholeRuns === 0)(
  'S1 to S9 hold over deliveries, faults, restarts, days that are missed, webhooks that come again or whose handlers throw, loops that rest, and workers that throw, die, are slow, draft or wait',
  async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 20 }), async (steps) => {
        await using scene = await Scene.open()
        await fc.asyncModelRun(() => ({ model: {}, real: scene }), steps)
        await scene.heal()
        await scene.expectInvariants()
        runs += 1
      }),
      // One that hangs is told with its seed.
      { ...parameters(wholeRuns), timeout: 90_000 },
    )
    expect(runs).toBe(wholeRuns)
  },
  Math.max(120_000, wholeRuns * 10_000),
)
