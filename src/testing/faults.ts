import type { Clock } from '../client'
import { checkChoice, checkOptions, type OptionNames } from '../mailbox'
import { type Fault, Lane } from './lane'
import { type Duration, durationNames, milliseconds } from './virtual-clock'

/**
 * The places where something can go wrong: `frames` from the service to a mailbox by its socket, `requests` of a
 * mailbox, `answers` to them, `webhooks` to an endpoint, `mails` of the service to people.
 */
export type FaultPlace = 'frames' | 'requests' | 'answers' | 'webhooks' | 'mails'

/** The number of times that a fault befalls. */
export interface FaultOptions {
  /** The next so many. Default 1. */
  times?: number | undefined
}

const names: OptionNames<FaultOptions> = { times: 'number' }

/** Every lane by its name. */
export type Lanes = Readonly<Record<FaultPlace, Lane>>

export const createLanes = (clock: Clock): Lanes => ({
  frames: new Lane(clock),
  requests: new Lane(clock),
  answers: new Lane(clock),
  webhooks: new Lane(clock),
  mails: new Lane(clock),
})

/**
 * Faults of the network on demand: each befalls the next thing that passes there. Several at one place befall
 * one thing after the other.
 *
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * const world = await createWorld()
 * world.faults.drop('answers') // the next request is carried out, and its answer is lost
 * world.faults.delay('frames', { seconds: 3 })
 * world.faults.duplicate('webhooks', { times: 2 })
 * ```
 */
export class Faults {
  readonly #lanes: Lanes

  /** @internal */
  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  /**
   * Loses it: it never arrives. A request fails, a webhook is tried again, a message to a person is deferred.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.drop('answers') // it is carried out, and its answer is lost
   * ```
   */
  drop(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'drop' }, options)
  }

  /**
   * Delays it: it arrives so much later, by the clock of the world; what comes after it does not wait.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.delay('webhooks', { minutes: 1 })
   * ```
   */
  delay(place: FaultPlace, options: FaultOptions & Duration): void {
    checkOptions('delay()', options, { ...names, ...durationNames })
    const { times, ...duration } = options
    this.#plan(place, { kind: 'delay', delayMs: milliseconds(duration) }, { times })
  }

  /**
   * Repeats it: it arrives twice.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.duplicate('frames', { times: 3 })
   * ```
   */
  duplicate(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'duplicate' }, options)
  }

  /**
   * Lets the one after it overtake it; where there is none, it arrives a second later.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.reorder('webhooks')
   * ```
   */
  reorder(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'reorder' }, options)
  }

  /**
   * Takes back what was planned and has befallen nothing yet.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.drop('requests', { times: 9 })
   * world.faults.clear()
   * ```
   */
  clear(): void {
    for (const lane of Object.values(this.#lanes)) lane.clear()
  }

  #plan(place: FaultPlace, fault: Fault, options: FaultOptions): void {
    checkChoice(`the place of ${fault.kind}()`, place, Object.keys(this.#lanes))
    checkOptions(`${fault.kind}()`, options, names)
    const { times = 1 } = options
    for (let count = 0; count < times; count += 1) this.#lanes[place].plan(fault)
  }
}
