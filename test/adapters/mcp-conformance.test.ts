import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler } from 'restante/mcp'
import { expect, test } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { obstacle } from '../support/proves'

const suite = '@modelcontextprotocol/conformance'
const reason = obstacle({ node: 22, needs: suite })

/** What passes at least: a run that found nothing to check shows nothing. */
const leastPassed = { '2025-11-25': 35, '2026-07-28': 80 }

test.skipIf(reason !== null)(
  `the official conformance suite of the Model Context Protocol passes, both revisions${reason ? `: ${reason}` : ''}`,
  async () => {
    await using real = await openReal()
    await real.receive({ subject: 'Bicycle' })
    await using handler = createMcpHandler(real.mailbox)
    const server = createServer(handler.node)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
      const runs = Object.entries(leastPassed).map(async ([revision, least]) => {
        const { code, out, err } = await start(process.execPath, [
          `test/frameworks/node_modules/${suite}/dist/index.js`,
          ...['server', '--url', url, '--requirements', revision],
          ...['--expected-failures', `test/fixtures/mcp-conformance/${revision}.yml`],
        ]).ended
        expect(code, out.slice(out.indexOf('=== SUMMARY')) + err).toBe(0)
        const [, passed] = /^Total: (\d+) passed/m.exec(out) ?? []
        expect(Number(passed)).toBeGreaterThanOrEqual(least)
      })
      await Promise.all(runs)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  180_000,
)
