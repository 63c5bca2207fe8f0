import type { Clock, Signals } from '../ports'
import type { Store } from '../store'
import type { Registry } from './registry'

/** The ports of changes of an account and of readers of its log. */
export interface LogPorts {
  readonly store: Store
  readonly clock: Clock
  readonly signals: Signals
  readonly registry: Registry
}
