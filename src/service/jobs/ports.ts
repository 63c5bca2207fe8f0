import type { LogPorts } from '../log'
import type { Logger } from '../ports'

/** The ports of what runs jobs. */
export interface JobPorts extends LogPorts {
  readonly logger: Logger
}
