import type { AccountPorts } from '../accounts'
import type { Resolver } from '../ports'

/** The ports of domains, whose records are looked up. */
export interface DomainPorts extends AccountPorts {
  readonly resolver: Resolver
}
