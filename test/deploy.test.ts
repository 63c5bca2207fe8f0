import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { environmentName, environmentOptions, readSettings, settingsSchema } from '../src/service/settings'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a file gives to the service by the environment; what it takes from elsewhere is `given`. */
function environmentOf(path: string): Record<string, string> {
  const lines = read(path)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  const found = [...lines.join('\n').matchAll(/\b(RESTANTE_[A-Z_]+)(?:=|: )('[^']*'|\S+)/g)]
  return Object.fromEntries(found.map(([, name, value]) => [name!, value!.replace(/^'|'$/g, '')]))
}

const names = new Set(Object.keys(settingsSchema.shape).map(environmentName))

test.each([
  ['Dockerfile', 3],
  ['deploy/compose.yaml', 8],
  ['deploy/restante.service', 2],
])('%s gives settings that there are', (path, least) => {
  const given = environmentOf(path)
  expect(Object.keys(given).length).toBeGreaterThanOrEqual(least)
  expect(Object.keys(given).filter((name) => !names.has(name))).toEqual([])
  // What whoever starts it chooses, or the default beside it.
  const chosen = Object.entries(given).map(([name, value]) => [
    name,
    value.replace(/\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}?/g, (_all, usual) => usual ?? 'chosen-by-somebody'),
  ])
  expect(() => readSettings(environmentOptions(Object.fromEntries(chosen)))).not.toThrow()
})

test('the unit of systemd is one that systemd takes', ({ skip }) => {
  skip(!existsSync('/usr/bin/systemd-analyze'), 'systemd is not installed')
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/restante.service')], {
    encoding: 'utf8',
  })
  expect(stdout + stderr).not.toMatch(/restante\.service/)
})

/** The programs that build dist: one, and what it imports. */
function builders(program: string, found = new Set<string>()): Set<string> {
  if (found.has(program)) return found
  found.add(program)
  for (const [, path] of read(program).matchAll(/^import .* from '(\.\/[^']+)'/gm))
    builders(`${normalize(join(dirname(program), path!))}.ts`, found)
  return found
}

test('the image is built with all that the build reads', () => {
  const lines = read('Dockerfile').split('\n')
  const copied = lines.flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
  const ignored = read('.dockerignore').split('\n').filter(Boolean)
  const programs = [...builders('tsup.config.ts')]
  expect(programs).toEqual(['tsup.config.ts', 'build/console.ts'])
  const named = programs
    .flatMap((program) => [...read(program).matchAll(/'(\w[^'\s]+|\.\/[^'\s]+)'/g)].map(([, text]) => text!))
    .map((text) => text.replace(/^\.\//, ''))
    .filter((text) => !/^(?:node_modules|dist)\b/.test(text) && existsSync(join(root, text)))
  expect(named).toEqual(expect.arrayContaining(['package.json', 'adapters', 'src/console/main.tsx']))
  const isCopied = (path: string) => copied.some((one) => path === one || path.startsWith(`${one}/`))
  const needed = [...programs, ...named, 'package-lock.json', 'tsconfig.json']
  expect(needed.filter((path) => !isCopied(path))).toEqual([])
  expect(needed.filter((path) => ignored.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual(
    [],
  )
  expect(JSON.parse(read('tsconfig.json')).extends).toBe(undefined)
})

/** What no machine of the tests builds is read as Docker reads it, and run as far as that goes without it. */
test('the Dockerfile copies what there is, and its commands are ones that run', () => {
  const lines = read('Dockerfile')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const steps = lines.map((line) => /^([A-Z]+) (.*)$/.exec(line)!)
  expect(steps.every(Boolean)).toBe(true)
  const stages = steps.flatMap(([, name, rest]) => (name === 'FROM' ? [/ AS (\w+)$/.exec(rest!)?.[1]] : []))
  const copied = steps.flatMap(([, name, rest]) => (name === 'COPY' ? [rest!.split(' ')] : []))
  expect(copied.length).toBeGreaterThan(4)
  for (const words of copied) {
    const from = /^--from=(\w+)$/.exec(words[0]!)?.[1]
    const sources = words.slice(from ? 1 : 0, -1)
    if (from) expect(stages).toContain(from)
    // Of the stage before: what its own COPY and `npm ci` leave in /build.
    const names = sources.map((source) => source.replace(/^\/build\//, ''))
    expect(
      names.filter((name) => name !== 'node_modules' && name !== 'dist' && !existsSync(join(root, name))),
    ).toEqual([])
  }
  const { bin, scripts } = JSON.parse(read('package.json'))
  expect(scripts.prepare).toContain('tsup')
  const command: string[] = JSON.parse(steps.findLast(([, name]) => name === 'CMD')![2]!)
  expect(command.slice(0, 2)).toEqual(['node', bin.restante.replace('./', '')])
  // Nobody listens there, and it says so.
  const check: string[] = JSON.parse(
    /CMD (\[.*\])$/.exec(steps.find(([, name]) => name === 'HEALTHCHECK')![2]!)![1]!,
  )
  const script = check[2]!.replace(':8080', ':9')
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(1)
})
