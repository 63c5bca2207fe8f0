import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../protocol/errors/error'

/** Places where the bundle may be: bundlers keep `import.meta.url`, freeze it, or lack it. */
const places = (): string[] =>
  [import.meta.url, process.argv[1], join(process.cwd(), 'bundle.js')].filter(
    (place): place is string => typeof place === 'string' && /^(?:file:|\/|[a-z]:[\\/])/i.test(place),
  )

/**
 * Imports an entry of the installed package from within a bundle: its worker threads and native code are
 * separate files, which no bundler includes.
 *
 * @throws UsageError `not_installed`
 */
export async function importInstalled<T>(entry: string): Promise<T> {
  // Not imported: webpack has its own `createRequire`, which finds only bundled modules.
  const { createRequire } = process.getBuiltinModule('node:module')
  for (const place of places()) {
    let path: string
    try {
      path = createRequire(place).resolve(entry)
    } catch {
      continue
    }
    return import(/* webpackIgnore: true */ /* @vite-ignore */ pathToFileURL(path).href)
  }
  throw new UsageError(
    'not_installed',
    `${entry} has worker threads and native code, which a bundle cannot hold, and it is not installed where this bundle runs (${process.argv[1]}): install restante there, in node_modules beside the bundle or above it, and bundle the rest`,
  )
}
