import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allBlocks, blocksIn } from './snippets/blocks'
import { notRun, scenarios } from './snippets/scenarios'
import { type Host, openScene, startHost } from './snippets/scene'
import { isInstalled } from './support/tarball'

/** Runs what the documentation shows, as it stands, by the packed tarball. */
const blocks = allBlocks()
const known = [...scenarios, ...notRun]
const blocksOf = ({ of }: { of: string }) => blocks.filter(({ text }) => text.includes(of))

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

describe('every snippet of the documentation', () => {
  test('has one scenario that runs it, or a reason why none does', () => {
    const counts = blocks.map((block) => [
      `${block.place}: ${block.text.trim().split('\n', 3).join(' / ')}`,
      known.filter((one) => blocksOf(one).includes(block)).length,
    ])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
    expect(known.filter((one) => blocksOf(one).length !== 1).map(({ of }) => of)).toEqual([])
  })

  test('is found wherever it stands on a page', () => {
    const page = '# One\n```ts\na\n```\ntext\n```\nprinted\n```\n## Two\n```sh\nb\n```\n'
    expect(blocksIn('docs/page.md', page)).toEqual([
      { place: 'docs/page.md, One', language: 'ts', text: 'a\n' },
      { place: 'docs/page.md, Two', language: 'sh', text: 'b\n' },
    ])
  })

  test.for(scenarios.map((scenario) => [scenario.of, scenario] as const))(
    'runs: %s',
    async ([, scenario], { skip }) => {
      const { also = {}, node = 0 } = scenario
      skip(Number(process.versions.node.split('.')[0]) < node, `needs Node ${node}`)
      skip(!Object.values(also).every(isInstalled), 'npm ci --prefix test/frameworks')
      const [block] = blocksOf(scenario)
      await scenario.run(await openScene(host, block!, also))
    },
  )
})
