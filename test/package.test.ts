import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import tsupConfig from '../tsup.config'
import { start } from './cli/support/cli'
import { pages } from './snippets/blocks'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Every path that a map of package.json leads to. */
const targets = (map: unknown): string[] =>
  typeof map === 'string' ? [map] : Object.values(map as object).flatMap(targets)

it('packs what it needs and nothing else', async () => {
  const npm = start('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])
  const { code, out } = await npm.ended
  expect(code).toBe(0)
  const [{ files }] = JSON.parse(out) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/cli.js']),
  )
  const rest = paths.filter((path) => !/^dist\/[\w/-]+(\.d\.ts|\.js|\.js\.map)$/.test(path))
  const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}`)
  const others = ['CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'api.md', 'package.json']
  expect(rest.sort()).toEqual([...pages(), ...examples, ...others].sort())
})

it('builds whatever its maps lead to', () => {
  const configs = tsupConfig as { entry: Record<string, string>; dts?: { entry: Record<string, string> } }[]
  const built = configs.flatMap(({ entry }) => Object.keys(entry)).map((name) => `./dist/${name}.js`)
  const typed = configs
    .flatMap(({ dts }) => Object.keys(dts?.entry ?? {}))
    .map((name) => `./dist/${name}.d.ts`)
  const wanted = [manifest.exports, manifest.imports, manifest.bin].flatMap(targets)
  expect([...built, ...typed, './package.json'].sort()).toEqual([...new Set(wanted)].sort())
  for (const source of configs.flatMap(({ entry }) => Object.values(entry)))
    expect(existsSync(join(root, source))).toBe(true)
})

it('has a client half and adapters that load nothing of the service, and no framework', async () => {
  // What CommonJS dependencies load is in the cache of require; what modules load is told by a resolve hook.
  const hook = `export async function resolve(specifier, context, next) {
    const found = await next(specifier, context)
    process._rawDebug(found.url)
    return found
  }`
  const register = `import { register } from 'node:module'
    register('data:text/javascript,${encodeURIComponent(hook)}')
    await import('restante')
    await import('restante/protocol')
    await import('restante/tools')
    await import('restante/ai-sdk')`
  const { code, err } = await start(process.execPath, ['--input-type=module', '--eval', register]).ended
  expect(code).toBe(0)
  const packages = new Set(
    [...err.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name]) => name),
  )
  expect([...packages].sort()).toEqual(['eventemitter3', 'is-network-error', 'lru-cache', 'p-retry', 'zod'])
})
