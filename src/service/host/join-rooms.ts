import { joinConnections } from '../connections'
import { joinConsumers } from '../consumers'
import { Registry } from '../log'

/** Creates the registry with all modules that react to changes in lower ones. */
export function joinRooms(): Registry {
  const registry = new Registry()
  joinConsumers(registry)
  joinConnections(registry)
  return registry
}
