import { join, relative } from 'node:path'
import ts from 'typescript'
import tsupConfig from '../../tsup.config'

/** Where the project lies. */
export const root = join(import.meta.dirname, '../..')

/** Something that users can import. */
export interface PublicSymbol {
  readonly name: string
  /** What it is imported from. */
  readonly entry: string
  readonly target: ts.Symbol
}

/** What modules export, as the compiler sees it. */
export interface PublicApi {
  readonly entries: readonly string[]
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly symbols: readonly PublicSymbol[]
}

const resolve = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** Reads what modules of a program export: the path of each by what it is imported from. */
export function readApi(modules: Readonly<Record<string, string>>, program: ts.Program): PublicApi {
  const checker = program.getTypeChecker()
  const symbols = Object.entries(modules).flatMap(([entry, path]) =>
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)!)!)
      .map((symbol) => ({ name: symbol.name, entry, target: resolve(symbol, checker) })),
  )
  return { entries: Object.keys(modules), program, checker, symbols }
}

/** The modules that the package exports are those whose declarations are built: the path of each by its name. */
export function publicModules(): Record<string, string> {
  const configs = tsupConfig as { dts?: { entry: Record<string, string> } }[]
  return Object.fromEntries(
    configs
      .flatMap(({ dts }) => Object.entries(dts?.entry ?? {}))
      .map(([name, path]) => [name === 'index' ? 'restante' : `restante/${name}`, join(root, path)]),
  )
}

/** Tells whether a member is not for users. */
export const isInternal = (node: ts.ClassElement | ts.TypeElement): boolean =>
  (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0 ||
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')

const isOurs = (symbol: ts.Symbol): boolean =>
  /^(?:src|adapters)\//.test(relative(root, symbol.declarations?.[0]?.getSourceFile().fileName ?? ''))

/** Tells whether something of ours is shared within the package, and users cannot import it. */
const isHidden = (symbol: ts.Symbol, { symbols }: PublicApi): boolean =>
  isOurs(symbol) &&
  symbol.declarations!.some((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Export) &&
  !symbols.some(({ target }) => target === symbol)

const targetOf = (node: ts.Node, checker: ts.TypeChecker): ts.Symbol[] => {
  const symbol = checker.getSymbolAtLocation(node)
  return symbol ? [resolve(symbol, checker)] : []
}

type Parent = ts.ClassDeclaration | ts.InterfaceDeclaration
const isParent = (node: ts.Node): node is Parent =>
  ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)

/** What a class or an interface extends that users cannot import: its members are those of the one that they can. */
export const hiddenBases = ({ heritageClauses }: Parent, api: PublicApi): Parent[] =>
  [...(heritageClauses ?? [])]
    .flatMap(({ types }) => [...types])
    .flatMap(({ expression }) => targetOf(expression, api.checker))
    .filter((base) => isHidden(base, api))
    .flatMap((base) => base.declarations!.filter(isParent))
    .flatMap((base) => [base, ...hiddenBases(base, api)])

/** The types that a declaration speaks of where users see them: not within functions, nor in what is internal. */
function* typesIn(node: ts.Node): Generator<ts.EntityName> {
  if (ts.isBlock(node) || ((ts.isClassElement(node) || ts.isTypeElement(node)) && isInternal(node))) return
  if (ts.isTypeReferenceNode(node)) yield node.typeName
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) if (!isValueOf(node, child)) yield* typesIn(child)
}

/** Tells whether a node is what something begins with, or what a function comes to: its type is told beside it. */
const isValueOf = (node: ts.Node, child: ts.Node): boolean =>
  ('initializer' in node && node.initializer === child && !ts.isArrowFunction(child)) ||
  (ts.isArrowFunction(node) && node.body === child)

/** The types that something public speaks of and users cannot import. How an alias is put together is nobody's business. */
export const hiddenTypes = (api: PublicApi): string[] =>
  api.symbols
    .filter(({ target }) => !(target.flags & ts.SymbolFlags.TypeAlias))
    .flatMap(({ name, entry, target }) =>
      target
        .declarations!.flatMap((declaration) => [...typesIn(declaration)])
        .flatMap((mentioned) => targetOf(mentioned, api.checker))
        .filter((type) => isHidden(type, api))
        .map((type) => `${name} of ${entry} speaks of ${type.name}`),
    )

const acceptsUndefined = (type: ts.TypeNode): boolean =>
  (ts.isUnionTypeNode(type) ? [...type.types] : [type]).some(({ kind }) =>
    [ts.SyntaxKind.UndefinedKeyword, ts.SyntaxKind.UnknownKeyword, ts.SyntaxKind.NeverKeyword].includes(kind),
  )

/** The optional members of public interfaces that do not accept undefined, as `exactOptionalPropertyTypes` demands. */
export const strictOptions = (api: PublicApi): string[] =>
  api.symbols.flatMap(({ name, entry, target }) =>
    target
      .declarations!.filter(ts.isInterfaceDeclaration)
      .flatMap((declaration) => [declaration, ...hiddenBases(declaration, api)])
      .flatMap(({ members }) => [...members])
      .filter(ts.isPropertySignature)
      .filter(({ questionToken, type }) => questionToken && type && !acceptsUndefined(type))
      .map((member) => `${name}.${member.name.getText()} of ${entry}`),
  )
