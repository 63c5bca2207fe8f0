import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from './kind'
import { kindsOfConnections } from './kinds-of-connections'
import { kindsOfLoops } from './kinds-of-loops'
import { kindsOfProxies } from './kinds-of-proxies'
import { kindsOfWebhooks } from './kinds-of-webhooks'

/**
 * Kinds of public bug reports about other realtime clients, webhook receivers and agent loops. Each is tried on the packed
 * package, with a real proxy in front of a service.
 */
const kinds = [...kindsOfProxies, ...kindsOfConnections, ...kindsOfWebhooks, ...kindsOfLoops]

let scene: Scene & { close(): Promise<void> }
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('each kind is one row, with a report of its own', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(53)
  for (const key of ['name', 'source'] as const)
    expect(new Set(kinds.map((kind) => kind[key])).size).toBe(kinds.length)
})

describe('what others were told of does not happen here', () => {
  test.for(kinds.map((kind) => [kind.name, kind] as const))('%s', ([, { run }]) => run(scene))
})
