import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { allBlocks } from './snippets/blocks'
import { apiReport } from './support/api-report'
import { compile, compilerOptions, createProgram, programOf } from './support/compile'
import {
  hiddenTypes,
  type PublicApi,
  type PublicSymbol,
  publicModules,
  readApi,
  root,
  strictOptions,
} from './support/public-api'
import { publicTypes, wrongTypes } from './support/public-types'

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
function readExamples({ program, symbols }: PublicApi): Map<string, string> {
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

const blocks = () => allBlocks().filter(({ language }) => language === 'ts')
const inPages = (some: readonly { place: string; text: string }[]) =>
  new Map(some.map(({ place, text }, i) => [`${place}, block ${i + 1}`, text]))

const files = publicModules()
const examples = readExamples(readApi(files, createProgram(Object.values(files))))
const modules = new Map([
  ...examples,
  ...inPages(blocks()),
  ['a mistake', 'mailbox.nothing()\nexport {}'],
  ['a wrong name', "import { Nothing } from 'restante'\nNothing()"],
  ['an unused name', "import { Mailbox } from 'restante'"],
  ['the types', publicTypes],
  ['a wrong type', wrongTypes],
])
/** Everything is in one program, as the types of the package are what takes the time. */
const program = programOf(modules, compilerOptions(), Object.values(files))
const api = readApi(files, program)
const { checker, symbols } = api

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
  const reported = declaration.heritageClauses?.flatMap(({ types, token }) =>
    token === ts.SyntaxKind.ImplementsKeyword ? types.map((type) => checker.getTypeAtLocation(type)) : [],
  )
  return [...(symbol.target.members?.values() ?? [])].flatMap((target) => {
    const isInherited = reported?.some((type) => checker.getPropertyOfType(type, target.name) !== undefined)
    const isMethod = (target.flags & ts.SymbolFlags.Method) !== 0 && /^[a-z]/.test(target.name)
    const method = { name: `${symbol.name}.${target.name}`, entry: symbol.entry, target }
    return isMethod && !isInherited && !hasTag(method, 'internal') ? [method] : []
  })
}
/** What users hand in, or their platform does. */
const handedIn = new Set(['Clock', 'NodeRequest', 'NodeResponse', 'ServiceLike', 'SocketLike'])

/** The methods of what the agent's half hands out, but for those that make it an iterator. */
const returnedMethodsOf = (symbol: PublicSymbol): PublicSymbol[] =>
  [...(symbol.target.members?.values() ?? [])].flatMap((target) => {
    const declaration = target.declarations?.[0]
    if (!declaration || target.flags & ts.SymbolFlags.Optional) return []
    if (!/^[a-z]/.test(target.name) || ['return', 'throw'].includes(target.name)) return []
    const method = { name: `${symbol.name}.${target.name}`, entry: symbol.entry, target }
    const { length } = checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures()
    return length > 0 ? [method] : []
  })
const returned = symbols.filter(
  ({ entry, name, target }) =>
    ['restante', 'restante/testing', 'restante/webhook'].includes(entry) &&
    target.flags & ts.SymbolFlags.Interface &&
    !handedIn.has(name),
)

const methods = [...symbols.filter(isClass).flatMap(methodsOf), ...returned.flatMap(returnedMethodsOf)]
const namesOf = (some: readonly PublicSymbol[]) => some.map(({ entry, name }) => `${entry}: ${name}`)

describe('the documentation in the sources', () => {
  it('is there for every public symbol, and every method of what is public', () => {
    expect(symbols.length).toBeGreaterThan(200)
    expect(methods.length).toBeGreaterThan(50)
    expect(namesOf([...symbols, ...methods].filter((one) => !isDocumented(one)))).toEqual([])
  })

  it('has an example for whatever can be called', () => {
    const called = [...symbols.filter((one) => isClass(one) || isCalled(one)), ...methods]
    expect(namesOf(called.filter((one) => !hasTag(one, 'example')))).toEqual([])
  }, 240_000)
})

describe('the code that readers see', () => {
  it('compiles, in the pages and in the sources, and is of types that users count on', () => {
    expect(examples.size).toBeGreaterThan(100)
    expect(blocks().length).toBeGreaterThanOrEqual(25)
    const isExample = (name: string) => examples.has(name) || name.endsWith('types') || name.endsWith(' type')
    // What it says of each is compared, so that the compiler is seen to look.
    expect(Object.fromEntries(compile(modules, program, isExample))).toEqual({
      'a mistake': ["Property 'nothing' does not exist on type 'Mailbox'."],
      'a wrong name': [expect.stringContaining("no exported member 'Nothing'")],
      'an unused name': [expect.stringContaining("'Mailbox' is declared but its value is never read")],
      'a wrong type': [expect.stringContaining('wanted: Promise<string>')],
    })
  }, 240_000)

  it.each(['ai-5', 'ai-7'])(
    'compiles with %s too, where it is for the AI SDK',
    (version) => {
      const modules = inPages(blocks().filter(({ text }) => text.includes("from 'ai'")))
      expect(modules.size).toBeGreaterThan(1)
      modules.set('a mistake', "import { generateText } from 'ai'\ngenerateText({ prompt: 'Hi' })")
      const { paths, ...options } = compilerOptions()
      const other = programOf(modules, { ...options, paths: { ...paths, ai: [`./node_modules/${version}`] } })
      const found = compile(modules, other)
      expect([...found.keys()]).toEqual(['a mistake'])
    },
    120_000,
  )
})

describe('the public API', () => {
  it('is what docs/api.md says: npm run api writes it', async () => {
    await expect(apiReport(api)).toMatchFileSnapshot('../docs/api.md')
  })

  it('takes undefined for every option, as exactOptionalPropertyTypes demands', () => {
    expect(strictOptions(api)).toEqual([])
  })

  it('speaks only of types that users can import', () => {
    expect(hiddenTypes(api)).toEqual([])
  })
})

describe('the report itself', () => {
  const own = join(root, 'src/own.ts')
  const read = (text: string) => {
    const files = new Map([
      [own, text],
      [join(root, 'src/other.ts'), 'export interface Other { readonly a: 1 }'],
    ])
    const host = ts.createCompilerHost({})
    const { getSourceFile } = host
    host.fileExists = (path) => files.has(path)
    host.getSourceFile = (path, language) => {
      const source = files.get(path)
      return source ? ts.createSourceFile(path, source, language, true) : getSourceFile(path, language)
    }
    return readApi({ own }, ts.createProgram([own], { noLib: true, types: [] }, host))
  }

  it('tells each name that is exported, and what users see of it', () => {
    const text = `
      export class Box<T> extends Array<T> {
        /** For tests. @internal */ constructor(a: string) { super() }
        #hidden = 1
        private own = 1
        get size(): number { return 1 }
        open(how: { wide: boolean }, when?: Date): void {}
      }
      export interface Shape { readonly a?: string; (b: number): void }
      export type Pair = [string, number]
      export const close = (box: Box<string>, { hard = false }: { hard?: boolean } = {}): boolean => hard
      export const mostBoxes = 3
      export const kinds = { small: 1, large: 2 } as const
      const internal = 1`
    expect(apiReport(read(text))).toContain(`## own

\`\`\`
class Box<T> extends Array<T>
  readonly size: number
  open(how: { wide: boolean }, when?: Date): void
type Pair = [string, number]
interface Shape
  readonly a?: string
  (b: number): void
function close(box: Box<string>, options?: { hard?: boolean }): boolean
const kinds: { small, large }
const mostBoxes = 3
\`\`\`
`)
  })

  it('becomes another one with a name more', () => {
    const text = 'export const one = 1'
    expect(apiReport(read(`${text}\nexport const two = 2`))).not.toBe(apiReport(read(text)))
  })

  it('sees a type that users cannot import, but where it is internal', () => {
    const speaking = (line: string) =>
      hiddenTypes(read(`import type { Other } from './other'\nexport class Box {\n${line}\n}`))
    expect(speaking('open(): Other { throw 1 }')).toEqual(['Box of own speaks of Other'])
    expect(speaking('/** @internal */ open(): Other { throw 1 }')).toEqual([])
    expect(speaking('#others = new Map<string, Other>()')).toEqual([])
  })
})
