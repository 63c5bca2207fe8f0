import type { Clock, Signals } from '../ports'
import type { Store } from '../store/store'
import type { Registry } from './registry'

/** Wake-ups between the nodes on one database. */
export interface NodeSignals extends Signals {
  /** Resolves once it hears the other nodes for the first time. */
  readonly connected: Promise<void>
  close(): Promise<void>
}

/** Ports of changes to an account and of readers of its log. */
export interface LogPorts {
  readonly store: Store
  readonly clock: Clock
  readonly signals: Signals
  readonly registry: Registry
}
