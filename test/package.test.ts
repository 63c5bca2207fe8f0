import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import tsupConfig from '../tsup.config'
import { start, temporaryFolder } from './cli/support/cli'
import { pages } from './snippets/blocks'

const root = join(import.meta.dirname, '..')
const script = 'test/support/require-declarations.mjs'
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
  const rest = paths.filter(
    (path) =>
      !/^dist\/(?:[\w/-]+(\.d\.ts|\.js)|search-data\/[\w-]+\.(?:bin|wasm)|console\/[\w-]+(\.\w+)+)$/.test(
        path,
      ),
  )
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `examples/${name}`)
  const others = [
    'CHANGELOG.md',
    'LICENSE',
    'SECURITY.md',
    'docs/api.md',
    'dist/THIRD-PARTY.txt',
    'docs/console.webp',
    'package.json',
  ]
  expect(rest.sort()).toEqual([...pages(), ...examples, ...others].sort())
})

it('gives mailauth the nodemailer of the project, not the older one that it asks for', () => {
  const versionFor = (folder: string) =>
    createRequire(join(root, folder, 'package.json'))('nodemailer/package.json').version
  expect(versionFor('node_modules/mailauth')).toBe(versionFor('.'))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const copies = Object.keys(packages).filter((path) => path.endsWith('/nodemailer'))
  expect(copies.filter((path) => !path.includes('@types/'))).toEqual(['node_modules/nodemailer'])
})

it('builds whatever its maps lead to', () => {
  const configs = tsupConfig as { entry: Record<string, string>; dts?: { entry: Record<string, string> } }[]
  const built = configs.flatMap(({ entry }) => Object.keys(entry)).map((name) => `./dist/${name}.js`)
  const typed = configs
    .flatMap(({ dts }) => Object.keys(dts?.entry ?? {}))
    .map((name) => `./dist/${name}.d.ts`)
  const wanted = [manifest.exports, manifest.imports, manifest.bin].flatMap(targets)
  const data = ['./dist/console/manifest.json', './dist/search-data/*', './package.json']
  expect([...built, ...typed, ...data].sort()).toEqual([...new Set(wanted)].sort())
  for (const source of configs.flatMap(({ entry }) => Object.values(entry)))
    expect(existsSync(join(root, source))).toBe(true)
})

it('is not packed without its declarations', async () => {
  const folder = await temporaryFolder()
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  await mkdir(join(folder, 'test/support'), { recursive: true })
  await copyFile(join(root, script), join(folder, script))
  const { code, err } = await start('npm', ['pack', '--silent'], { cwd: folder }).ended
  expect(code).not.toBe(0)
  expect(err).toMatch(/declarations are not built, such as .*\.d\.ts: npm run build/)
})

it('is not built without the frameworks, and one line says how they are installed', async () => {
  const folder = await temporaryFolder()
  for (const file of ['package.json', 'link.mjs', 'require.mjs'])
    await copyFile(join(root, 'test/frameworks', file), join(folder, file))
  const { code, err } = await start(process.execPath, ['require.mjs'], { cwd: folder }).ended
  expect(code).toBe(1)
  expect(err).toMatch(/^[^\n]* not installed: npm ci --ignore-scripts --prefix test\/frameworks\n$/)
})

it('names the TypeScript that checks its declarations', () => {
  const page = readFileSync(join(root, 'docs/runtimes.md'), 'utf8')
  expect(page).toContain(`need TypeScript ${manifest.devDependencies.typescript} or newer`)
})
