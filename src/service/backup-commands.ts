import type { AdminCommand } from './admin-channel'
import type { EraseSweeper } from './core/erase-sweep'

/** What a backup asks of the service that runs. */
export const backupCommands = (eraser: EraseSweeper): Record<string, AdminCommand> => ({
  async 'hold-blobs'({ for_ms }) {
    await eraser.hold(Math.min(Math.max(Number(for_ms) || 0, 0), 10 * 60_000))
    return {}
  },
})
