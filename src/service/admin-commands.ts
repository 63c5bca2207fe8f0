import { UsageError } from '../protocol/error'
import type { AdminCommand } from './admin-channel'
import type { Core } from './core/context'
import { eraseAccount } from './core/erase-account'

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError('invalid_command', `The command needs ${name}.`)
}

/** What the host can ask of a running service. */
export const adminCommands = (core: Core): Record<string, AdminCommand> => ({
  async erase({ tenant_id }) {
    const id = textOf(tenant_id, 'tenant_id')
    await eraseAccount(core, id)
    return { tenant_id: id, state: 'erasing' }
  },
})
