import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { start, temporaryFolder } from './cli/support/cli'
import { startService } from './support/service'
import { isInstalled, openProject } from './support/tarball'

/** Bundles one file of a project into another; gives what the bundler warned of. */
type Bundle = (project: string, from: string, to: string) => Promise<string[]>

const require = createRequire(import.meta.url)
const byEsbuild =
  (format: 'esm' | 'cjs'): Bundle =>
  async (project, from, to) => {
    const { warnings } = await build({
      ...{ absWorkingDir: project, entryPoints: [from], outfile: to, bundle: true, format },
      ...{ platform: 'node', logLevel: 'silent' },
    })
    return warnings.map(({ text }) => text)
  }

const byRollup: Bundle = async (project, from, to) => {
  const { rollup } = require('rollup')
  const { nodeResolve } = require('@rollup/plugin-node-resolve')
  const commonjs = require('@rollup/plugin-commonjs')
  const warnings: { code: string; message: string; id?: string }[] = []
  const bundle = await rollup({
    input: join(project, from),
    plugins: [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs()],
    onwarn: (warning: (typeof warnings)[number]) => warnings.push(warning),
  })
  await bundle.write({ file: join(project, to), format: 'esm', inlineDynamicImports: true })
  // What others have written.
  return warnings
    .filter(({ message }) => !/node_modules\/(?!restante)/.test(message))
    .map(({ message }) => message)
}

const byWebpack: Bundle = async (project, from, to) => {
  const webpack = require('webpack')
  const stats = await new Promise<{ toJson(): { errors: object[]; warnings: { message: string }[] } }>(
    (resolve, reject) =>
      webpack(
        {
          ...{ mode: 'development', devtool: false, target: 'node20', context: project, entry: `./${from}` },
          output: { path: project, filename: to, module: true, chunkFormat: 'module' },
          experiments: { outputModule: true },
        },
        (error: unknown, found: never) => (error ? reject(error) : resolve(found)),
      ),
  )
  const { errors, warnings } = stats.toJson()
  expect(errors).toEqual([])
  return warnings.map(({ message }) => message)
}

const bundlers: [string, Bundle, string[]][] = [
  ['esbuild to a module', byEsbuild('esm'), []],
  ['esbuild to CommonJS', byEsbuild('cjs'), []],
  ['rollup', byRollup, ['@rollup/plugin-node-resolve', '@rollup/plugin-commonjs']],
  ['webpack', byWebpack, ['webpack']],
]

/** An empty folder with the tarball, and a program in JavaScript. */
const openBundling = async (name: string) => {
  const project = await openProject()
  const { code } = await import('esbuild').then(async ({ transform }) =>
    transform(await readFile(join(import.meta.dirname, `bundles/${name}.ts`), 'utf8'), { loader: 'ts' }),
  )
  await writeFile(join(project, `${name}.mjs`), code)
  return project
}

test.for(bundlers)(
  'service and mailbox run when they were bundled by %s',
  async ([name, bundle, needs], { skip }) => {
    skip(!needs.every(isInstalled), 'npm ci --prefix test/frameworks')
    const project = await openBundling('app')
    const to = name.endsWith('CommonJS') ? 'bundle.cjs' : 'bundle.mjs'
    const warnings = await bundle(project, 'app.mjs', to)
    expect(warnings.filter((one) => !/import\.meta/.test(one))).toEqual([])
    const { code, out, err } = await start(process.execPath, [to], { cwd: project }).ended
    expect({ code, out, err }).toEqual({ code: 0, out: 'sent live\nlive\n', err: '' })
  },
)

test.for(bundlers.slice(0, 2))(
  'a mailbox bundled by %s runs where nothing is installed',
  async ([name, bundle]) => {
    const project = await openBundling('client')
    const to = name.endsWith('CommonJS') ? 'bundle.cjs' : 'bundle.mjs'
    await bundle(project, 'client.mjs', to)
    const alone = await temporaryFolder()
    await copyFile(join(project, to), join(alone, to))
    await using service = await startService()
    const args = [to, service.url.replace(/\/v1$/, ''), service.home.apiKey]
    expect(await start(process.execPath, args, { cwd: alone }).ended).toEqual({
      code: 0,
      out: 'live true\n',
      err: '',
    })
  },
)

test('a service bundled into one file says what to install where it runs', async () => {
  const project = await openBundling('service')
  await byEsbuild('esm')(project, 'service.mjs', 'bundle.mjs')
  const alone = await temporaryFolder()
  await copyFile(join(project, 'bundle.mjs'), join(alone, 'bundle.mjs'))
  const { out } = await start(process.execPath, ['bundle.mjs'], { cwd: alone }).ended
  expect(out).toMatch(/^not_installed restante\/service has worker threads.*: install restante there/)
})

test('a mailbox is bundled for browsers with nothing of Node', async () => {
  const project = await openBundling('client')
  const { metafile, outputFiles } = await build({
    ...{ absWorkingDir: project, entryPoints: ['client.mjs'], bundle: true, format: 'esm' },
    ...{ platform: 'browser', logLevel: 'silent', write: false, metafile: true },
  })
  const inputs = Object.keys(metafile.inputs).join('\n')
  expect(inputs).toContain('websocket-web')
  expect(inputs).not.toMatch(/platform\/[\w-]+-node\.js|node_modules\/(?:ws|undici|postal-mime)\//)
  expect(outputFiles[0]?.text).not.toMatch(/getBuiltinModule\(|\brequire\(["']/)
})

test('the entry that bundlers take has all that the service has', async () => {
  const root = join(import.meta.dirname, '..')
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const entry of ['service', 'testing'] as const) {
    const [real, bundled] = await Promise.all(
      ['default', 'module'].map((condition) => import(join(root, exports[`./${entry}`][condition]))),
    )
    expect(Object.keys(bundled).sort()).toEqual(Object.keys(real).sort())
  }
})
