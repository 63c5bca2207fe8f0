import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anyPorts, runCli, start, temporaryFolder } from './cli/support/cli'
import { allBlocks, pages } from './snippets/blocks'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')

/** Output without what differs from run to run. */
const withoutChance = (text: string): string =>
  text
    .replace(/rst_[\w-]+…?/g, 'KEY')
    .replace(/#link=\S+/g, '#link=SECRET')
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

  it('has under 180 lines, and leads to every page', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThan(180)
    for (const page of pages().filter((path) => path !== 'README.md'))
      expect(readme, page).toContain(`](${page})`)
  })

  it('has a quick start that works', async () => {
    const commands = allBlocks()
      .filter(({ place, language }) => place === 'README.md, Quick start' && language === 'sh')
      .map(({ text }) => text.trim())
    expect(commands[0]).toBe('npm install && npm start')
    const env = {
      RESTANTE_HTTP: anyPorts[1]!,
      RESTANTE_SMTP: anyPorts[3]!,
      RESTANTE_DATA: await temporaryFolder(),
    }
    const { scripts } = JSON.parse(read('package.json'))
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
