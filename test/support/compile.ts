import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/** The options of the project. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: ['x.ts'] }, ts.sys, root).options
}

/** Files as they were parsed once: a program costs more to parse than to check. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of modules in one program, by their names. They lie in examples/, whose rules they follow. */
export function compile(
  modules: ReadonlyMap<string, string>,
  options = compilerOptions(),
): Map<string, string[]> {
  const paths = new Map(
    [...modules].map(([name, text], i) => [join(root, `examples/module-${i}.ts`), { name, text }]),
  )
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => paths.has(path) || fileExists(path)
  host.readFile = (path) => paths.get(path)?.text ?? readFile(path)
  host.getSourceFile = (path, language, ...rest) => {
    const text = paths.get(path)?.text
    if (text !== undefined) return ts.createSourceFile(path, text, language)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, language, ...rest))
    return parsed.get(path)
  }
  const program = ts.createProgram([...paths.keys(), join(root, 'adapters/absent.d.ts')], options, host)
  const found = new Map<string, string[]>()
  for (const [path, { name }] of paths) {
    const source = program.getSourceFile(path)
    const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    if (problems.length > 0)
      found.set(
        name,
        problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      )
  }
  return found
}
