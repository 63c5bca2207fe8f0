import type { LogPorts } from '../log/ports'
import type { Logger } from '../ports'

/** Ports of the job runner. */
export interface JobPorts extends LogPorts {
  readonly logger: Logger
}
