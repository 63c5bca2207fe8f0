import { parseArgs } from 'node:util'
import { adapters } from './adapters'
import { type Played, playPlot } from './play'
import { type Plot, plotsOf, type Selection } from './plots'
import { tell } from './table'

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    adapter: { type: 'string', default: '' },
    owner: { type: 'string', default: '{}' },
    all: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run eval:injection -- [options]
  --list            names of attacks and tasks
  --only <words>    those whose name has these words
  --adapter <name>  by this adapter: ${adapters.map(({ name }) => name).join(', ')}
  --all             each of them by each adapter, rather than a share that moves on from one to the next
  --every <n>       only every nth plot
  --owner <json>    options of the owner for all of them, such as '{"flow":"off"}'
  --matrix          what became of each family by each adapter
  --verbose         every call and what the model was told`

/** Plots that are played at once: most of the time of one is waiting. */
const atOnce = 4

async function playAll(plots: readonly Plot[]): Promise<Played[]> {
  const owner = JSON.parse(values.owner) as Record<string, unknown>
  const results: Played[] = []
  const waiting = plots.values()
  const work = async () => {
    for (const plot of waiting) {
      const played = await playPlot(plot, owner)
      results.push({ ...played, log: [] })
      const isWorthTelling = ['out', 'touched', 'broken', 'failed'].includes(played.verdict) || values.verbose
      if (isWorthTelling) console.log(tell(played, values.verbose))
    }
  }
  // Each adapter is loaded by its first plot, alone: modules that are loaded beside each other may be half there.
  const firsts = new Map(plots.toReversed().map((plot) => [plot.adapter, plot]))
  for (const plot of firsts.values()) await playPlot(plot, owner)
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

const { only, adapter, all } = values
const selection: Selection = { only, adapter, all, every: Number(values.every) }
const plots = plotsOf(selection)
if (values.help) console.log(usage)
else if (values.list) for (const name of new Set(plots.map((plot) => plot.title))) console.log(name)
else {
  const { summary } = await import('./table')
  const { text, isGood } = summary(await playAll(plots), values.matrix)
  console.log(text)
  // What frameworks leave open would keep the process.
  process.exit(isGood ? 0 : 1)
}
