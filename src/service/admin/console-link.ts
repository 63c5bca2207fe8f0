import { UsageError } from '../../protocol/errors/error'
import { createOwnerLink } from '../operators/sign-in'
import type { AdminPorts } from './ports'

/**
 * Creates a link that signs the owner in at the console: by the running service, or on its database.
 *
 * @throws UsageError `service_not_running` if no service runs here and no setting has the console's address
 */
export async function createConsoleLink(ports: AdminPorts): Promise<string> {
  const { service, place, store, secrets, clock, logger } = ports
  const { data, publicUrl, consoleUrl = publicUrl && `${publicUrl}/console` } = place
  const url = service?.ports.settings.consoleUrl ?? consoleUrl
  if (url !== undefined)
    return createOwnerLink({ store, secrets, clock, logger, settings: { consoleUrl: url } })
  const where = data === undefined ? 'the database' : `the data folder ${data}`
  throw new UsageError(
    'service_not_running',
    `No service answers on ${where}, so the address of its console is unknown. Start it, or set RESTANTE_PUBLIC_URL.`,
  )
}
