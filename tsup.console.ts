import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { computed } from './tsup.computed'
import { throughFaces } from './tsup.faces'

const folder = 'dist/console'

/** What differs between Node and the rest, by the name that the package has for it. */
const platform: Plugin = {
  name: 'platform',
  setup(build) {
    const files: Record<string, string> = {
      '#websocket': 'src/client/platform/websocket-web.ts',
      '#files': 'src/client/platform/files-web.ts',
      '#text-decoder': 'src/mail/mime/text-decoder-web.ts',
    }
    build.onResolve({ filter: /^#/ }, ({ path }) => build.resolve(`./${files[path]}`, options))
    const options = { kind: 'import-statement', resolveDir: process.cwd() } as const
  },
}

/** What a file loads at once, itself first. */
function loadedWith(outputs: Metafile['outputs'], name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const { path, kind } of outputs[name]!.imports)
    if (kind === 'import-statement') loadedWith(outputs, path, found)
  return found
}

/**
 * Builds the console for browsers into files that are named by what is in them, compressed beside each, and a list of
 * them for the service.
 */
export async function buildConsole(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { outputFiles, metafile } = await build({
    entryPoints: { console: 'src/console/main.tsx' },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
    plugins: [platform, computed, throughFaces],
  })
  for (const { path, contents } of outputFiles) {
    const file = `${folder}/${basename(path)}`
    writeFileSync(file, contents)
    writeFileSync(`${file}.br`, brotliCompressSync(contents))
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }))
  }
  const { outputs } = metafile
  const names = Object.keys(outputs)
  const entry = names.find((name) => outputs[name]!.entryPoint === 'src/console/main.tsx')!
  const manifest = {
    script: basename(entry),
    style: basename(outputs[entry]!.cssBundle!),
    preload: [...loadedWith(outputs, entry)].slice(1).map((name) => basename(name)),
    files: names.map((name) => basename(name)),
  }
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(manifest))
}
