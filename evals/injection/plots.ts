import { type Adapter, adapters } from './adapters'
import type { Attack } from './attacks/attack'
import { families } from './attacks/index'
import { kinds } from './tasks/index'
import type { Task } from './tasks/task'

/** An attack or a task, by one adapter. */
export type Plot = { readonly title: string; readonly family: string; readonly adapter: Adapter } & (
  | { readonly attack: Attack }
  | { readonly task: Task }
)

export interface Selection {
  /** Words of the title. */
  only?: string
  adapter?: string
  /** Every plot by every adapter. */
  all?: boolean
  every?: number
}

/** Some adapters play all plots; each of the others one of three, so that every plot is played by several. */
const plays = (adapter: Adapter, at: number, all: boolean): boolean =>
  all || adapter.all || (at + adapters.indexOf(adapter)) % 3 === 0

/** Tells whether an agent that is given its work so can do the task. */
const suits = (adapter: Adapter, { at = 'mail' }: Task): boolean =>
  adapter.at === at || (at === 'mail' && adapter.at === 'inbox')

const attackPlots = (all: boolean): Plot[] =>
  Object.entries(families).flatMap(([family, attacks]) =>
    attacks.flatMap((attack, at) =>
      adapters
        .filter((adapter) => plays(adapter, at, all))
        .map((adapter) => ({ title: `${family}: ${attack.name}`, family, adapter, attack })),
    ),
  )

const taskPlots = (all: boolean): Plot[] =>
  Object.entries(kinds).flatMap(([kind, tasks]) =>
    tasks.flatMap((task, at) =>
      adapters
        .filter((adapter) => suits(adapter, task) && plays(adapter, at, all))
        .map((adapter) => ({ title: `task, ${kind}: ${task.name}`, family: kind, adapter, task })),
    ),
  )

/** Selects what is to be played. */
export const plotsOf = ({ only = '', adapter = '', all = false, every = 1 }: Selection): Plot[] =>
  [...attackPlots(all), ...taskPlots(all)]
    .filter((plot) => plot.title.includes(only))
    .filter((plot) => adapter === '' || plot.adapter.name === adapter)
    .filter((_, at) => at % every === 0)
