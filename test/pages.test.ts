import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeCodes } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import { environmentName, flagName, settingsSchema } from '../src/service/settings'
import { allBlocks, pages } from './snippets/blocks'
import { compile, compilerOptions } from './support/compile'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const blocks = (language: string) => allBlocks().filter((block) => block.language === language)

/** The table of settings, from the schema. */
function settingsTable(): string {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const { defaultValue } = schema.def as { defaultValue?: unknown }
    const usual = defaultValue === undefined ? '' : `\`${defaultValue}\``
    const { description } = schema.meta() ?? {}
    return `| \`${environmentName(name)}\` | \`--${flagName(name)}\` | \`${name}\` | ${usual} | ${description} |`
  })
  return ['| variable | flag | option | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

describe('the pages of the documentation', () => {
  it('have code that compiles', () => {
    expect(blocks('ts').length).toBeGreaterThanOrEqual(25)
    // One more shows that a mistake is seen.
    const modules = new Map(blocks('ts').map(({ place, text }, i) => [`${place}, block ${i + 1}`, text]))
    modules.set('a mistake', "import { Nothing } from 'restante'\nNothing()")
    expect(Object.fromEntries(compile(modules))).toEqual({
      'a mistake': [expect.stringContaining("no exported member 'Nothing'")],
    })
  }, 240_000)

  it.each(['ai-5', 'ai-7'])(
    'have code for the AI SDK that compiles with %s too',
    (version) => {
      const modules = new Map(
        blocks('ts')
          .filter(({ text }) => text.includes("from 'ai'"))
          .map(({ place, text }, i) => [`${place}, block ${i + 1}`, text]),
      )
      expect(modules.size).toBeGreaterThan(1)
      modules.set('a mistake', "import { generateText } from 'ai'\ngenerateText({ prompt: 'Hi' })")
      const { paths, ...options } = compilerOptions()
      const found = compile(modules, { ...options, paths: { ...paths, ai: [`./node_modules/${version}`] } })
      expect([...found.keys()]).toEqual(['a mistake'])
    },
    120_000,
  )

  it('have the settings as they are', () => {
    const [, table] = /<!-- settings -->\n(.*?)<!-- \/settings -->/s.exec(read('docs/operating.md')) ?? []
    expect(table?.trim()).toBe(settingsTable())
  })

  it('have the close codes of the socket as they are', () => {
    const rows = [...read('docs/http.md').matchAll(/^\| (\d+) \| `(\w+)` \| (yes|no) \|/gm)]
    expect(rows.map(([, code, reason, reconnect]) => [reason, Number(code), reconnect === 'yes'])).toEqual(
      Object.entries(closeCodes).map(([reason, { code, reconnect }]) => [reason, code, reconnect]),
    )
  })

  it('give the command for the tests that CI runs', () => {
    expect(read('CONTRIBUTING.md')).toContain('\n```sh\nnpm test\n```\n')
    expect(read('.ci/run')).toMatch(/&& npm test'$/m)
  })

  it('begin with a sentence on what their reader wants, and code', () => {
    for (const page of pages().filter((path) => path.startsWith('docs/'))) {
      const lines = read(page).split('\n')
      expect(lines[0], page).toMatch(/^# \w/)
      expect(lines[2], page).toMatch(/^[A-Z].*[.:]$/)
      expect(
        lines.findIndex((line) => /^```\w/.test(line)),
        page,
      ).toBeLessThan(12)
    }
  })
})
