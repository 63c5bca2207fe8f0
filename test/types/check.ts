import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'

/**
 * Compiles projects as users have them against the declarations that are published (`dist/*.d.ts`, built before), with
 * `skipLibCheck: false`. What is wrong within the declarations of a framework is told, and is not ours to mend.
 */
const root = join(import.meta.dirname, '../..')
const consumers = join(import.meta.dirname, 'consumers')

/** Versions of a framework besides the one that bears its name: which consumer is compiled with which package. */
const versions = [
  { consumer: 'ai.ts', framework: 'ai', version: 'ai-5' },
  { consumer: 'ai.ts', framework: 'ai', version: 'ai-7' },
]

const options = (paths: ts.MapLike<string[]>): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  baseUrl: root,
  paths,
})

const sources = new Map<string, ts.SourceFile | undefined>()

const hostOf = (compilerOptions: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(compilerOptions)
  const { getSourceFile } = host
  // Whether a file is a module of Node depends on where it lies only: it can be shared.
  host.getSourceFile = (path, language) => {
    if (!sources.has(path)) sources.set(path, getSourceFile(path, language))
    return sources.get(path)
  }
  return host
}

const lineOf = ({ file, start = 0, messageText }: ts.Diagnostic): string => {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n')
  if (!file) return text
  const { line } = file.getLineAndCharacterOfPosition(start)
  return `${relative(root, file.fileName)}:${line + 1} ${text}`
}

const isOurs = ({ file }: ts.Diagnostic): boolean =>
  !file || !relative(root, file.fileName).split(sep).includes('node_modules')

const packageOf = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path

/** What is wrong with a project, as far as it is ours. */
function check(
  name: string,
  files: readonly string[],
  paths: ts.MapLike<string[]> = {},
  entries: readonly string[] = [],
): string[] {
  const compilerOptions = options(paths)
  const program = ts.createProgram(
    files.map((file) => join(consumers, file)),
    compilerOptions,
    hostOf(compilerOptions),
  )
  const read = program.getSourceFiles().map(({ fileName }) => relative(root, fileName))
  const problems = ts.getPreEmitDiagnostics(program)
  const ours = problems.filter(isOurs).map(lineOf)
  const wanted = [...Object.values(paths).flat(), 'dist/', ...entries]
  for (const folder of wanted.filter((one) => !read.some((path) => path.startsWith(one))))
    ours.push(`nothing of ${folder} was read: npm ci && npm run build`)
  // Another version than the one that was meant.
  for (const framework of Object.keys(paths))
    if (read.some((path) => path.startsWith(`node_modules/${framework}/`)))
      ours.push(`${framework} was read beside the version that is checked`)
  const stray = read.find((path) => /^(src|adapters)/.test(path))
  if (stray) ours.push(`${stray} was read, which is not published`)
  const theirs = problems.filter((problem) => !isOurs(problem)).map(({ file }) => packageOf(file!.fileName))
  console.log(
    `${name}: ${ours.length} problems; within frameworks: ${theirs.length} ${[...new Set(theirs)].join(' ')}`,
  )
  return ours.map((problem) => `${name}: ${problem}`)
}

if (!existsSync(join(root, 'dist/index.d.ts'))) throw new Error('there are no declarations: npm run build')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string }>
}
const entries = Object.values(exports).flatMap(({ types }) => (types ? [types.slice('./'.length)] : []))
const found = [
  ...check('all', readdirSync(consumers), {}, entries),
  ...versions.flatMap(({ consumer, framework, version }) =>
    check(version, [consumer], { [framework]: [`node_modules/${version}/dist/index.d.ts`] }),
  ),
]
for (const problem of found) console.error(problem)
process.exitCode = found.length > 0 ? 1 : 0
