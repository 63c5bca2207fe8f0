import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^restante$/, replacement: at('src/index.ts') },
      { find: /^restante\/service$/, replacement: at('src/service/index.ts') },
      { find: /^restante\/protocol$/, replacement: at('src/protocol/index.ts') },
      { find: '#fetch', replacement: at('src/client/platform/fetch-node.ts') },
      { find: '#websocket', replacement: at('src/client/platform/websocket-node.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Much of a test is waiting for a database or a process: every core has one to run.
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
})
