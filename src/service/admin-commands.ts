import type { AdminCommand } from './admin-channel'
import type { Core } from './core/context'
import type { EraseSweeper } from './core/erase-sweep'
import { releaseRestoredJobs } from './core/jobs'

/** What the host can ask of a running service, beside what it does to accounts. */
export const adminCommands = (core: Core, eraser: EraseSweeper): Record<string, AdminCommand> => ({
  async 'hold-blobs'({ for_ms }) {
    await eraser.hold(Math.min(Math.max(Number(for_ms) || 0, 0), 10 * 60_000))
    return {}
  },
  async 'send-held'() {
    return { jobs: await releaseRestoredJobs(core) }
  },
})
