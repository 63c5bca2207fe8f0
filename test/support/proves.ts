import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { type Capability, type Framework, factsOf } from './frameworks'

const installed = join(import.meta.dirname, '../frameworks/node_modules')
const nodeVersion = Number(process.versions.node.split('.')[0])

/** Why a test with these needs cannot run here, or null. Where `CI` is set, every package has to be there. */
export function obstacle({ node, needs }: { node: number; needs?: string }): string | null {
  if (nodeVersion < node) return `needs Node ${node}`
  if (!needs || existsSync(join(installed, needs))) return null
  const remedy = `needs ${needs}: npm ci --prefix test/frameworks`
  if (process.env.CI) throw new Error(remedy)
  return remedy
}

/**
 * A test that stands for a mark in the README's table of frameworks: framework and capabilities are literals, since
 * the table is made from the source. It is skipped, saying why, where the framework cannot run.
 */
export function proves(
  framework: Framework,
  proven: Capability | readonly Capability[],
  name: string,
  body: () => Promise<void>,
  timeoutMs?: number,
): void {
  const reason = obstacle(factsOf(framework))
  const title = `${framework}: ${name} (${[proven].flat().join(', ')})`
  if (reason) test.skip(`${title}: ${reason}`)
  else test(title, body, timeoutMs)
}
