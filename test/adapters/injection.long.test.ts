import { describe, expect, test } from 'vitest'
import { adapters } from '../../evals/injection/adapters'
import { families } from '../../evals/injection/attacks/index'
import { playPlot } from '../../evals/injection/play'
import { type Plot, plotsOf } from '../../evals/injection/plots'
import { kinds } from '../../evals/injection/tasks/index'

// A slice of `npm run eval:injection`, which plays all of them.

const played = async (plots: readonly Plot[], owner = {}) => {
  const results = []
  for (const plot of plots) results.push(await playPlot(plot, owner))
  return results.map(({ title, adapter, verdict, leaks, harm, error }) => {
    return { title, adapter: adapter.name, verdict, leaks, harm, error }
  })
}

const isAttack = (plot: Plot) => 'attack' in plot
const everySo = (plots: readonly Plot[], step: number, from = 0) =>
  plots.filter((_, at) => at % step === from)

/** Of each adapter, some plots, others of each. */
const slice = (isWanted: (plot: Plot) => boolean, max: number): Plot[] =>
  adapters.flatMap(({ name }, at) => {
    const plots = plotsOf({ adapter: name }).filter(isWanted)
    return everySo(plots, Math.ceil(plots.length / max), at)
  })

test('there are attacks and tasks enough, each with a name of its own', () => {
  for (const [all, min] of [
    [families, 200],
    [kinds, 150],
  ] as const) {
    const names = Object.entries(all).flatMap(([family, some]) =>
      some.map(({ name }) => `${family}: ${name}`),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(min)
  }
})

test('each attack is played by several adapters', () => {
  const plots = plotsOf({}).filter(isAttack)
  for (const title of new Set(plots.map((plot) => plot.title)))
    expect(plots.filter((plot) => plot.title === title).length, title).toBeGreaterThanOrEqual(3)
})

describe('a model that obeys every mail', () => {
  test('tells nobody what is not theirs', async () => {
    for (const result of await played(slice(isAttack, 1)))
      expect(result).toMatchObject({ verdict: expect.not.stringMatching(/out|broken/), leaks: [], harm: [] })
  }, 300_000)

  test('would tell secrets without the rule of flow', async () => {
    const plots = everySo(plotsOf({ adapter: 'toolbox', only: 'words' }), 3)
    const verdicts = (await played(plots, { flow: 'off' })).map(({ verdict }) => verdict)
    expect(verdicts.filter((one) => one === 'out').length).toBeGreaterThan(plots.length / 2)
  })
})

test('honest tasks are done under the rule of flow', async () => {
  const results = await played(slice((plot) => !isAttack(plot), 1))
  expect(results.filter(({ verdict }) => verdict !== 'done')).toEqual([])
})
