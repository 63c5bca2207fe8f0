import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../protocol/errors'

/** The places where the bundle may lie: bundlers leave `import.meta.url` as it is, freeze it, or have none. */
const places = (): string[] =>
  [import.meta.url, process.argv[1], join(process.cwd(), 'bundle.js')].filter(
    (place): place is string => typeof place === 'string' && /^(?:file:|\/|[a-z]:[\\/])/i.test(place),
  )

/**
 * Imports an entry of this package as it is installed, from within a bundle: its worker threads and native code are files
 * of their own, which no bundler takes along.
 *
 * @throws UsageError `not_installed`
 */
export async function importInstalled<T>(entry: string): Promise<T> {
  // Not imported: webpack has a `createRequire` of its own, which finds only what it has bundled.
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
