import { joinConnections } from '../connections'
import { joinConsumers } from '../consumers'
import { Registry } from '../log'

/** Makes the registry, joined by every room that acts on what a lower one tells. */
export function joinRooms(): Registry {
  const registry = new Registry()
  joinConsumers(registry)
  joinConnections(registry)
  return registry
}
