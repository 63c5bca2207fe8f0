import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/support/slow-first'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string }

export default defineConfig({
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  resolve: {
    alias: [
      { find: /^restante$/, replacement: at('src/index.ts') },
      { find: /^restante\/service$/, replacement: at('src/service/index.ts') },
      { find: /^restante\/protocol$/, replacement: at('src/protocol/index.ts') },
      { find: /^restante\/testing$/, replacement: at('src/testing/index.ts') },
      { find: /^restante\/webhook$/, replacement: at('src/webhook/index.ts') },
      { find: /^restante\/([\w-]+)$/, replacement: at('adapters/$1.ts') },
      { find: '#websocket', replacement: at('src/client/platform/websocket-node.ts') },
      { find: '#mailauth', replacement: at('src/service/inbound/authentication/mailauth.ts') },
      { find: '#markdown', replacement: at('src/mail/markdown.ts') },
      { find: '#prom-client', replacement: at('src/service/metrics/prom-client.ts') },
      { find: '#nats', replacement: at('src/service/log/nats.ts') },
      { find: '#imapflow', replacement: at('src/service/connections/imapflow.ts') },
      { find: '#pdf', replacement: at('src/service/extraction/documents/pdf.ts') },
      { find: '#outlook', replacement: at('src/service/extraction/documents/outlook.ts') },
      { find: '#files', replacement: at('src/client/platform/files-node.ts') },
      { find: '#text-decoder', replacement: at('src/mail/charsets/text-decoder-node.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    // The encoder costs more than all else that a message costs: tests that need it ask for it.
    env: { RESTANTE_EMBEDDINGS: 'off' },
    // Much of a test is waiting for a database or a process: meanwhile another runs. Per cent end at one a core.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Files share what they import, which saves a quarter of the time; no test leaves anything behind.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Files leave little behind, but much of it at once: in more room, less of it is copied before it goes.
    execArgv: ['--max-semi-space-size=64'],
    // A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
