import type { LogPorts } from '../log'
import type { Logger } from '../ports'

/** Ports of the job runner. */
export interface JobPorts extends LogPorts {
  readonly logger: Logger
}
