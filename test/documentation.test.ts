import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { compile, compilerOptions } from './support/compile'
import { publicTypes, wrongTypes } from './support/public-types'

const root = join(import.meta.dirname, '..')
/** A name is taken from the first that has it. */
const entries = {
  restante: 'src/index.ts',
  'restante/testing': 'src/testing/index.ts',
  'restante/webhook': 'src/webhook/index.ts',
  'restante/protocol': 'src/protocol/index.ts',
  'restante/service': 'src/service/index.ts',
  ...Object.fromEntries(
    readdirSync(join(root, 'adapters'))
      .filter((file) => /^[\w-]+\.ts$/.test(file))
      .map((file) => [`restante/${file.slice(0, -3)}`, `adapters/${file}`]),
  ),
}

const program = ts.createProgram(
  Object.values(entries).map((path) => join(root, path)),
  compilerOptions(),
)
const checker = program.getTypeChecker()

interface PublicSymbol {
  name: string
  entry: string
  target: ts.Symbol
}

const resolved = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

const symbols = Object.entries(entries).flatMap(([entry, path]): PublicSymbol[] => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, path))!)!
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, entry, target: resolved(symbol) }))
})

const isDocumented = ({ target }: PublicSymbol) => target.getDocumentationComment(checker).length > 0
const hasTag = ({ target }: Pick<PublicSymbol, 'target'>, tag: string) =>
  target.getJsDocTags(checker).some(({ name }) => name === tag)
const isClass = ({ target }: PublicSymbol) => (target.flags & ts.SymbolFlags.Class) !== 0
const isCalled = ({ target }: PublicSymbol) =>
  target.valueDeclaration !== undefined &&
  checker.getTypeOfSymbolAtLocation(target, target.valueDeclaration).getCallSignatures().length > 0

/** Methods that users call: not private, not `@internal`, and not those of an interface that is told elsewhere. */
const methodsOf = (symbol: PublicSymbol): PublicSymbol[] => {
  const declaration = symbol.target.valueDeclaration as ts.ClassDeclaration
  const told = declaration.heritageClauses?.flatMap(({ types, token }) =>
    token === ts.SyntaxKind.ImplementsKeyword ? types.map((type) => checker.getTypeAtLocation(type)) : [],
  )
  return [...(symbol.target.members?.values() ?? [])].flatMap((target) => {
    const isInherited = told?.some((type) => checker.getPropertyOfType(type, target.name) !== undefined)
    const isMethod = (target.flags & ts.SymbolFlags.Method) !== 0 && /^[a-z]/.test(target.name)
    const method = { name: `${symbol.name}.${target.name}`, entry: symbol.entry, target }
    return isMethod && !isInherited && !hasTag(method, 'internal') ? [method] : []
  })
}
/** What users hand in, or their platform does. */
const handedIn = new Set(['Clock', 'NodeRequest', 'NodeResponse', 'ServiceLike', 'SocketLike'])

/** The methods of what the agent's half hands out, but for those that make it an iterator. */
const handedOutMethodsOf = (symbol: PublicSymbol): PublicSymbol[] =>
  [...(symbol.target.members?.values() ?? [])].flatMap((target) => {
    const declaration = target.declarations?.[0]
    if (!declaration || target.flags & ts.SymbolFlags.Optional) return []
    if (!/^[a-z]/.test(target.name) || ['return', 'throw'].includes(target.name)) return []
    const method = { name: `${symbol.name}.${target.name}`, entry: symbol.entry, target }
    const { length } = checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures()
    return length > 0 ? [method] : []
  })
const handedOut = symbols.filter(
  ({ entry, name, target }) =>
    ['restante', 'restante/testing', 'restante/webhook'].includes(entry) &&
    target.flags & ts.SymbolFlags.Interface &&
    !handedIn.has(name),
)

const methods = [...symbols.filter(isClass).flatMap(methodsOf), ...handedOut.flatMap(handedOutMethodsOf)]
const namesOf = (some: readonly PublicSymbol[]) => some.map(({ entry, name }) => `${entry}: ${name}`)

/** Whatever an example may speak of without saying where it comes from. */
const setting = `
import type { Mailbox, Message, Thread, Client, ThreadSummary, Attachment } from 'restante'
import type { SentMessage } from 'restante'
import type { World } from 'restante/testing'
import type { StateAdapter } from 'chat'
import type { RestateContext } from 'restante/restate'
declare global {
  const mailbox: Mailbox
  const message: Message
  const thread: Thread
  const client: Client
  const sent: SentMessage
  const attachment: Attachment
  const world: World
  const state: StateAdapter
  const ctx: RestateContext
  const apiKey: string
  const url: string
  const secret: string
  const threadId: string
  const request: Request
  const signal: AbortSignal
  // biome-ignore lint: examples speak of whatever their readers have
  const answer: any, app: any, store: any, model: any, agent: any, socket: any, clickSignIn: any, enterCode: any, question: any, render: any
}
export {}
`

/** The examples of the public files, each as a module that has what it uses. */
function examples(): Map<string, string> {
  const publicNames = new Map(symbols.toReversed().map(({ name, entry }) => [name, entry]))
  const found = new Map<string, string>([['the setting', setting]])
  for (const source of program.getSourceFiles()) {
    const path = relative(root, source.fileName)
    if (!/^(src\/(client|mailbox|testing|webhook|protocol|service)|adapters)\//.test(path)) continue
    for (const [, block = ''] of source.text.matchAll(/@example\n((?:[ \t]*\* ?.*\n)*?)[ \t]*\* ```\n/g)) {
      const text = block.replace(/^[ \t]*\* ?/gm, '').replace(/^```ts\n/, '')
      const imported = [...text.matchAll(/import (?:type )?\{([^}]*)\}/g)].map(([, names]) => names).join()
      // A name in lower case is meant where it is called, and not as a method.
      const isUsed = (name: string) =>
        new RegExp(/^[a-z]/.test(name) ? `(?<![.\\w])${name}\\(` : `\\b${name}\\b`).test(text)
      const used = [...publicNames].filter(
        ([name]) => isUsed(name) && !new RegExp(`\\b${name}\\b`).test(imported),
      )
      const imports = used.map(([name, entry]) => `import { ${name} } from '${entry}'`)
      found.set(`${path} ${found.size}`, [...imports, text, 'export {}'].join('\n'))
    }
  }
  return found
}

describe('the documentation in the sources', () => {
  it('is there for every public symbol, and every method of what is public', () => {
    expect(symbols.length).toBeGreaterThan(400)
    expect(methods.length).toBeGreaterThan(50)
    expect(namesOf([...symbols, ...methods].filter((one) => !isDocumented(one)))).toEqual([])
  })

  it('has an example for whatever can be called', () => {
    const called = [...symbols.filter((one) => isClass(one) || isCalled(one)), ...methods]
    expect(namesOf(called.filter((one) => !hasTag(one, 'example')))).toEqual([])
  }, 240_000)

  it('has examples that compile, of types that are what users count on', () => {
    const modules = examples()
    expect(modules.size).toBeGreaterThan(100)
    modules.set('a mistake', 'mailbox.nothing()\nexport {}')
    modules.set('the types', publicTypes)
    modules.set('a wrong type', wrongTypes)
    const options = { ...compilerOptions(), noUnusedLocals: false, verbatimModuleSyntax: false }
    expect(Object.fromEntries(compile(modules, options))).toEqual({
      'a mistake': ["Property 'nothing' does not exist on type 'Mailbox'."],
      'a wrong type': [expect.stringContaining('wanted: Promise<string>')],
    })
  }, 240_000)
})
