import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const here = import.meta.dirname
const shared = join(here, '../../node_modules')

/**
 * Lets the project find the frameworks of this folder as if it had installed them; what it has itself stays.
 * `npm ci` in the project takes the links away: each run of the tests makes them again.
 */
function link(framework, path) {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() && !existsSync(path)) rmSync(path)
  else if (found) return
  if (!existsSync(framework)) return
  mkdirSync(dirname(path), { recursive: true })
  try {
    symlinkSync(relative(dirname(path), framework), path, 'dir')
  } catch (error) {
    // Another run makes the same links.
    if (error.code !== 'EEXIST') throw error
  }
}

const { devDependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
for (const name of Object.keys(devDependencies)) link(join(here, 'node_modules', name), join(shared, name))
