import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMcpHandler } from 'restante/mcp'
import { expect, test } from 'vitest'
import { start, temporaryFolder } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { obstacle } from '../support/proves'

const suite = '@modelcontextprotocol/conformance'
const reason = obstacle({ node: 22, needs: suite })

/** Checks that pass at least: a run that found nothing to check shows nothing. */
const minPassed = { '2025-11-25': 35, '2026-07-28': 80 }
const minPassedOfAll = 110
const fixtures = join(import.meta.dirname, '../fixtures/mcp-conformance')

/** Everything that the suite has: what neither revision requires is listed by itself. */
async function listOfAll(): Promise<string> {
  const lists = ['beyond', ...Object.keys(minPassed)].map((name) =>
    readFileSync(join(fixtures, `${name}.yml`), 'utf8'),
  )
  const entries = new Set(lists.flatMap((text) => text.match(/^ +- [\w:-]+/gm) ?? []))
  const path = join(await temporaryFolder(), 'all.yml')
  await writeFile(path, ['server:', ...entries, ''].join('\n'))
  return path
}

test.skipIf(reason !== null)(
  `the official conformance suite of the Model Context Protocol passes, both revisions and beyond${reason ? `: ${reason}` : ''}`,
  async () => {
    await using real = await openReal()
    await real.receive({ subject: 'Bicycle' })
    await using handler = createMcpHandler(real.mailbox)
    const server = createServer(handler.node)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
      const run = async (scenarios: string[], expected: string, min: number) => {
        const { code, out, err } = await start(process.execPath, [
          `test/frameworks/node_modules/${suite}/dist/index.js`,
          ...['server', '--url', url, ...scenarios, '--expected-failures', expected],
        ]).ended
        expect(code, out.slice(out.indexOf('=== SUMMARY')) + err).toBe(0)
        const [, passed] = /^Total: (\d+) passed/m.exec(out) ?? []
        expect(Number(passed)).toBeGreaterThanOrEqual(min)
      }
      await Promise.all([
        ...Object.entries(minPassed).map(([revision, min]) =>
          run(['--requirements', revision], join(fixtures, `${revision}.yml`), min),
        ),
        run(['--suite', 'all'], await listOfAll(), minPassedOfAll),
      ])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  180_000,
)
