import { UsageError } from '../protocol/error'
import type { AdminCommand } from './admin-channel'
import type { Core } from './core/context'
import { eraseAccount } from './core/erase-account'
import type { EraseSweeper } from './core/erase-sweep'
import { releaseHeldJobs } from './core/jobs'

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError('invalid_command', `The command needs ${name}.`)
}

/** What the host can ask of a running service. */
export const adminCommands = (core: Core, eraser: EraseSweeper): Record<string, AdminCommand> => ({
  async erase({ tenant_id }) {
    const id = textOf(tenant_id, 'tenant_id')
    await eraseAccount(core, id)
    return { tenant_id: id, state: 'erasing' }
  },
  async 'hold-blobs'({ for_ms }) {
    await eraser.hold(Math.min(Math.max(Number(for_ms) || 0, 0), 10 * 60_000))
    return {}
  },
  async 'send-held'() {
    return { jobs: await releaseHeldJobs(core) }
  },
})
