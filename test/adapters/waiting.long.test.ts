import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { obstacle } from '../support/proves'
import { waitingRuns } from './support/waiting-runs'

const jiti = 'node_modules/jiti/lib/jiti-cli.mjs'

describe.each(waitingRuns)('a run of $name', ({ name, needs, begin }) => {
  test.skipIf(obstacle(needs))(
    'that waits for an answer reads it in another process, after the service was restarted',
    async () => {
      const data = await mkdtemp(join(tmpdir(), 'restante-'))
      onTestFinished(() => rm(data, { recursive: true }))
      let stored: string
      {
        await using real = await openReal({ data })
        const first = await real.receive({ subject: 'Bicycle', messageId: '<first@example.com>' })
        stored = await begin(real.mailbox, first.handle)
      }
      await using real = await openReal({ data })
      await real.receive({ subject: 'Re: Bicycle', text: 'It was sold.', inReplyTo: '<first@example.com>' })
      const { url } = await real.real.listen()
      const args = [jiti, 'test/adapters/support/resume-wait.ts', url, real.real.home.apiKey, name, stored]
      const { code, out } = await start(process.execPath, args).ended
      expect(code).toBe(0)
      expect(out).toContain('<<<mail:')
      expect(out).toContain('It was sold.')
    },
  )
})
