import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Mail of other programs, kept beside the project or where RESTANTE_CORPORA says: tests that need it are skipped where it
 * is missing.
 */
const beside = fileURLToPath(new URL('../../../shared/corpora/', import.meta.url))
const root = process.env.RESTANTE_CORPORA ? join(process.env.RESTANTE_CORPORA, '/') : beside

export const hasCorpora = existsSync(root)

if (!hasCorpora) console.warn(`No corpora at ${root}: their tests are skipped.`)

/** The files of a folder of the corpora; none where they are missing. */
export function corpusFiles(folder: string, extension = ''): { name: string; raw: Uint8Array }[] {
  if (!hasCorpora) return []
  return readdirSync(root + folder)
    .filter((name) => name.endsWith(extension) && !/\.(json|xml)$/.test(name))
    .map((name) => ({ name, raw: new Uint8Array(readFileSync(`${root}${folder}/${name}`)) }))
}

/** A text file of the corpora; undefined when there is none. */
export function corpusText(path: string): string | undefined {
  return existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined
}
