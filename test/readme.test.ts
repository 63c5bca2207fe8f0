import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentName, flagName, settingsSchema } from 'restante/service'
import { describe, expect, it } from 'vitest'
import { anyPorts, runCli, start, temporaryFolder } from './cli/support/cli'
import { compile } from './support/compile'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text ?? '')

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

/** Output without what differs from run to run. */
const withoutChance = (text: string): string =>
  text
    .replace(/rst_[\w-]+…?/g, 'KEY')
    .replace(/msg_\w+/g, 'ID')
    .replace(/ --smtp \S+/g, '')
    .replace(/127\.0\.0\.1:\d+/g, 'HERE')
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/after [\d.]+ ms/g, 'after SOME ms')

describe('the README', () => {
  it('opens with one sentence, and code before line 20', () => {
    const [, sentence = ''] = readme.split('\n\n')
    expect(sentence.match(/[.!?](\s|$)/g)).toHaveLength(1)
    expect(readme.split('\n').findIndex((line) => line.startsWith('```ts'))).toBeLessThan(20)
  })

  it('has code that compiles', () => {
    expect(blocks('ts').length).toBeGreaterThanOrEqual(3)
    // One more shows that a mistake is seen.
    const modules = new Map(blocks('ts').map((text, i) => [`block ${i + 1}`, text]))
    modules.set('a mistake', "import { Nothing } from 'restante'\nNothing()")
    expect(Object.fromEntries(compile(modules))).toEqual({
      'a mistake': [expect.stringContaining("no exported member 'Nothing'")],
    })
  }, 120_000)

  it('has the settings as they are', () => {
    const [, table] = /<!-- settings -->\n(.*?)<!-- \/settings -->/s.exec(readme) ?? []
    expect(table?.trim()).toBe(settingsTable())
  })

  it('gives the command for the tests that CI runs', () => {
    expect(readme).toContain('## Tests\n\n```sh\nnpm test\n```\n')
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/&& npm test'$/m)
  })

  it('has a quick start that works', async () => {
    const commands = blocks('sh').map((text) => text.trim())
    expect(commands[0]).toBe('npm install && npm start')
    const env = {
      RESTANTE_HTTP: anyPorts[1]!,
      RESTANTE_SMTP: anyPorts[3]!,
      RESTANTE_DATA: await temporaryFolder(),
    }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    // Not by npm, so that the signal reaches the service itself.
    const [node, ...args] = scripts.start.split(' ') as string[]
    expect(node).toBe('node')
    const service = start(process.execPath, args, { env })
    const [, printed = ''] = await service.out(/^ {2}(npx restante send .*)$/m)
    expect(printed.startsWith(commands[1]!)).toBe(true)
    const words = [...printed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    const sent = await runCli(words.slice(2))
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining('250 2.0.0 Accepted as msg_') })
    await service.out(/ {2}in {5}.*\n.* {2}woken {2}after .*\n.* {2}out {4}.*"Re: Hello" {2}sent \(captured/)
    expect((await service.kill('SIGINT')).code).toBe(0)
    const shown = withoutChance(readme)
    for (const line of withoutChance(sent.out + service.text).split('\n'))
      if (!/^Stopped|started$/.test(line)) expect(shown).toContain(line)
  })
})
