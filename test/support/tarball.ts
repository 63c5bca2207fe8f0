import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let packed: Promise<string> | undefined

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Makes a folder that goes when the process ends. */
async function lastingFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  folders.push(folder)
  return folder
}

/** What `npm publish` would upload, made once. */
const tarball = (): Promise<string> =>
  (packed ??= (async () => {
    const folder = await lastingFolder('restante-packed-')
    const { stdout } = await run(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
      { cwd: root },
    )
    return join(folder, stdout.trim().split('\n').at(-1)!)
  })())

/** Whether this project has a package, as it has the frameworks only where they were installed. */
export const isInstalled = (name: string): boolean => existsSync(join(root, 'node_modules', name))

/** Lets a folder have a package of this project, under its name or another. */
const link = async (modules: string, name: string, as = name) => {
  const from = join(root, 'node_modules', name)
  if (!isInstalled(name)) throw new Error(`${name} is not installed`)
  await mkdir(dirname(join(modules, as)), { recursive: true })
  await symlink(from, join(modules, as), 'dir')
}

/** Installs the tarball in a new folder, which goes when the process ends. */
const install = async (also: Record<string, string>): Promise<string> => {
  const folder = await lastingFolder('restante-installed-')
  const modules = join(folder, 'node_modules')
  const target = join(modules, 'restante')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', await tarball(), '-C', target, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) await link(modules, name)
  for (const [as, name] of Object.entries(also)) await link(modules, name, as)
  await mkdir(join(modules, '.bin'))
  await symlink('../restante/dist/cli.js', join(modules, '.bin/restante'))
  return folder
}

const installed = new Map<string, Promise<string>>()

/**
 * A folder where the packed tarball is installed, with what its package.json says that it depends on and nothing else.
 * It is shared by all who ask for the same.
 *
 * @param also more packages, such as a framework: under which name, which package of this project
 */
export function installTarball(also: Record<string, string> = {}): Promise<string> {
  const key = JSON.stringify(also)
  const folder = installed.get(key) ?? install(also)
  installed.set(key, folder)
  return folder
}

/** An empty folder of this test's own, below the one where {@link installTarball} installs the packages. */
export async function openProject(also: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(await realpath(await installTarball(also)), 'project-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
