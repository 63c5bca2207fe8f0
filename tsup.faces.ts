import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Options } from 'tsup'
import ts from 'typescript'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]
type Named = ts.ImportDeclaration | ts.ExportDeclaration

/** What pages of the console stand on is loaded with the first of them: apart it would be many small files. */
const isWhole = (face: string) => /[\\/]src[\\/]console[\\/]/.test(face)

/**
 * Leads each import of a face to the file behind it. Esbuild counts what a face names as needed by whoever imports any of
 * it, so that a chunk that is loaded late would be loaded at once.
 */
export const throughFaces: Plugin = {
  name: 'through-faces',
  setup(build) {
    build.onLoad({ filter: /[\\/](?:src|adapters)[\\/].*\.tsx?$/ }, ({ path }) => ({
      // Of what a module exports as one object esbuild takes all, also the words of zod in fifty languages.
      contents: direct(path).replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }))
  },
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
const isNamed = (one: ts.Statement): one is Named =>
  ts.isImportDeclaration(one) || ts.isExportDeclaration(one)
const specifierOf = ({ moduleSpecifier: one }: Named) => (one && ts.isStringLiteral(one) ? one.text : '')
const bindingsOf = (one: Named) => {
  const bindings = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : one.exportClause
  return bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    ? [...bindings.elements]
    : []
}

/** The text of a file with an import of its own for each file behind a face; lines stay where they are. */
function direct(path: string): string {
  const text = readFileSync(path, 'utf8')
  const named = parse(path, text).statements.filter(isNamed)
  return named.reduceRight((out, one) => {
    const face = join(dirname(path), specifierOf(one), 'index.ts')
    if (!specifierOf(one).startsWith('.') || !existsSync(face) || !bindingsOf(one).length) return out
    if (isWhole(face)) return out
    const lines = one.getText().split('\n').length - 1
    return out.slice(0, one.getStart()) + spread(path, face, one) + '\n'.repeat(lines) + out.slice(one.end)
  }, text)
}

/** One import or export for each name, from the file that has it. */
function spread(path: string, face: string, one: Named): string {
  const word = ts.isImportDeclaration(one) ? 'import' : 'export'
  const allTypes = ts.isExportDeclaration(one) ? one.isTypeOnly : one.importClause?.isTypeOnly
  return bindingsOf(one)
    .map((element) => {
      const { file, name } = behind(face, (element.propertyName ?? element.name).text)
      // What is only a type must leave no import behind.
      const type = allTypes || element.isTypeOnly ? ' type' : ''
      const from = relative(dirname(path), file).replace(/\.tsx?$/, '')
      return `${word}${type} { ${name} as ${element.name.text} } from './${from}';`
    })
    .join(' ')
}

/** The file that declares a name of a face, and what it is called there. */
function behind(face: string, wanted: string): { file: string; name: string } {
  for (const one of parse(face, readFileSync(face, 'utf8')).statements.filter(isNamed)) {
    if (!ts.isExportDeclaration(one) || !specifierOf(one).startsWith('.')) continue
    const element = bindingsOf(one).find(({ name }) => name.text === wanted)
    if (!element) continue
    const base = join(dirname(face), specifierOf(one))
    const name = (element.propertyName ?? element.name).text
    const file = [`${base}.ts`, `${base}.tsx`].find((one) => existsSync(one))
    return file ? { file, name } : behind(join(base, 'index.ts'), name)
  }
  return { file: face, name: wanted }
}
