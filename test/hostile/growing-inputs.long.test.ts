import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { fieldCases, functionCases, messageCases } from './growing-inputs'
import { readerCases } from './growing-readers'

const args = [
  '--max-semi-space-size=64',
  'node_modules/jiti/lib/jiti-cli.mjs',
  'test/hostile/growing-inputs-process.ts',
]

let failures: Record<string, string>
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, args)
  failures = JSON.parse(stdout)
}, 20 * 60_000)

// What a stranger writes costs a time in proportion to its length: doubled from 4 KB to 1 MB, whatever it is made of.
describe.each([
  ['header fields', fieldCases],
  ['functions', functionCases],
  ['other functions of the table of readers', readerCases],
  ['messages', messageCases],
])('the processor time of %s', (_kind, cases) => {
  it.each(cases)('%s', (name) => {
    expect(failures[name]).toBeUndefined()
  })
})
