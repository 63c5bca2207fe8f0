import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allBlocks } from './snippets/blocks'
import { notRun, scenarios } from './snippets/scenarios'
import {
  allProofs,
  capabilities,
  type Framework,
  factsOf,
  frameworks,
  frameworkTable,
  proofsIn,
  withFrameworkTable,
} from './support/frameworks'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

it('the table of frameworks in the README is what the tests prove', () => {
  expect(readme, 'write it anew: npm run frameworks').toContain(frameworkTable())
  expect(withFrameworkTable(readme)).toBe(readme)
})

it('every row of the table has a proof, and every proof a row', () => {
  const proofs = allProofs()
  expect([...new Set(proofs.map(({ framework }) => framework))].sort()).toEqual(
    Object.keys(frameworks).sort(),
  )
  for (const { capability } of proofs) expect(Object.keys(capabilities)).toContain(capability)
})

it('a proof is read from the source of its test', () => {
  const text =
    "describe('x', () => {\n  proves(\n    'A',\n    ['tools', 'loop'],\n    'name',\n    async () => {},\n  )\n})"
  expect(proofsIn('a.test.ts', text)).toEqual([
    { framework: 'A', capability: 'tools', path: 'a.test.ts' },
    { framework: 'A', capability: 'loop', path: 'a.test.ts' },
  ])
  expect(() => proofsIn('a.test.ts', "proves(name, 'tools', 'x', body)")).toThrow('literals')
  expect(proofsIn('a.test.ts', "// proves('A', 'tools')\ntest('x', body)")).toEqual([])
})

it('the written table leaves out what nothing proves', () => {
  const [first = ''] = Object.keys(frameworks)
  expect(frameworkTable([])).not.toContain('yes')
  expect(frameworkTable([{ framework: first, capability: 'wait', path: 'x.test.ts' }])).toContain(
    ' | [yes](x.test.ts) |',
  )
})

it('what the page of each framework says is typed in an empty folder with the tarball', () => {
  // test/snippets.long.test.ts runs the scenarios so, and finds that each snippet has one.
  const typed = [...scenarios, ...notRun.filter(({ because }) => because.endsWith(' types it'))]
  const isTyped = (page: string) =>
    allBlocks().some(
      ({ place, text }) =>
        place.startsWith(`docs/frameworks/${page}.md,`) && typed.some(({ of }) => text.includes(of)),
    )
  const pages = (Object.keys(frameworks) as Framework[]).map((name) => factsOf(name).page)
  expect(pages.filter((page) => !isTyped(page))).toEqual([])
})
