import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'

const folder = 'dist/console'

/** What differs between Node and the rest, by the name that the package has for it. */
const platform: Plugin = {
  name: 'platform',
  setup(build) {
    const files: Record<string, string> = {
      '#websocket': 'src/client/platform/websocket-web.ts',
      '#files': 'src/client/platform/files-web.ts',
      '#text-decoder': 'src/mail/charsets/text-decoder-web.ts',
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

function writeAsset(name: string, contents: Uint8Array): void {
  const file = `${folder}/${name}`
  writeFileSync(file, contents)
  writeFileSync(`${file}.br`, brotliCompressSync(contents))
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }))
}

/**
 * Builds the scripts that stand in the document that shows the HTML of mail; DOMPurify is a file of its own.
 */
async function buildFrame(): Promise<string[]> {
  const names: string[] = []
  for (const entry of ['node_modules/dompurify/dist/purify.js', 'src/console/html/frame/frame.ts']) {
    const { outputFiles } = await build({
      entryPoints: [entry],
      outdir: folder,
      bundle: entry.startsWith('src/'),
      minify: true,
      format: entry.startsWith('src/') ? 'iife' : undefined,
      platform: 'browser',
      target: 'es2022',
      legalComments: 'none',
      entryNames: '[name]-[hash]',
      write: false,
    })
    const { path, contents, text } = outputFiles[0]!
    if (/<\/?script/i.test(text))
      throw new Error(`${path} cannot stand in a document: a script would end in it`)
    writeFileSync(`${folder}/${basename(path)}`, contents)
    names.push(basename(path))
  }
  return names
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
    plugins: [platform],
  })
  for (const { path, contents } of outputFiles) writeAsset(basename(path), contents)
  const { outputs } = metafile
  const frame = await buildFrame()
  const names = Object.keys(outputs)
  const entry = names.find((name) => outputs[name]!.entryPoint === 'src/console/main.tsx')!
  const manifest = {
    script: basename(entry),
    style: basename(outputs[entry]!.cssBundle!),
    preload: [...loadedWith(outputs, entry)].slice(1).map((name) => basename(name)),
    frame,
    files: names.map((name) => basename(name)),
  }
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(manifest))
}
