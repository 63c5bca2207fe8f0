import ts from 'typescript'
import { hiddenBases, isInternal, type PublicApi, type PublicSymbol } from './public-api'

const maxTypeLength = 160
const printer = ts.createPrinter({ removeComments: true })

/** A piece of source on one line, without comments. */
const textOf = (node: ts.Node): string =>
  printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/\s+/g, ' ')
    .replace(/(?<=\[) | (?=\])|;(?= \})/g, '')
    .trim()

const typeOf = (node: ts.Node | undefined): string => {
  const text = node ? textOf(node) : ''
  return text.length > maxTypeLength ? `${text.slice(0, maxTypeLength)}…` : text
}

const parametersOf = (nodes: readonly ts.TypeParameterDeclaration[] | undefined): string =>
  nodes ? `<${nodes.map(textOf).join(', ')}>` : ''

function parameterOf({ name, type, dotDotDotToken, questionToken, initializer }: ts.ParameterDeclaration) {
  const label = `${dotDotDotToken ? '...' : ''}${ts.isIdentifier(name) ? name.text : 'options'}`
  if (!type && initializer) return `${label} = ${textOf(initializer)}`
  return `${label}${questionToken || initializer ? '?' : ''}: ${typeOf(type)}`
}

/** What a call takes, and what comes back. */
const callOf = ({ typeParameters, parameters, type }: ts.SignatureDeclaration): string =>
  `${parametersOf(typeParameters)}(${parameters.map(parameterOf).join(', ')})${type ? `: ${typeOf(type)}` : ''}`

type Member = ts.ClassElement | ts.TypeElement

const isNamed = ({ name }: Member): boolean => !name || /^(?:\w|'|\[Symbol\.)/.test(name.getText())

function memberOf(node: Member): string {
  const flags = ts.getCombinedModifierFlags(node)
  const isFixed = flags & ts.ModifierFlags.Readonly || ts.isGetAccessor(node)
  const words = `${flags & ts.ModifierFlags.Static ? 'static ' : ''}${isFixed ? 'readonly ' : ''}`
  const optional = 'questionToken' in node && node.questionToken ? '?' : ''
  const name = `${words}${node.name?.getText() ?? ''}${optional}`
  if (ts.isConstructorDeclaration(node)) return `new ${callOf(node)}`
  if (ts.isGetAccessor(node) || ts.isPropertyDeclaration(node) || ts.isPropertySignature(node))
    return `${name}: ${typeOf(node.type)}`
  if (ts.isIndexSignatureDeclaration(node)) return textOf(node)
  return `${name}${callOf(node as ts.MethodSignature | ts.CallSignatureDeclaration)}`
}

/** The head of a class or an interface and what it has, also from bases that users cannot name. */
function linesOfMembers(node: ts.ClassDeclaration | ts.InterfaceDeclaration, api: PublicApi): string[] {
  const { name, typeParameters, heritageClauses = [] } = node
  const head = `${ts.isClassDeclaration(node) ? 'class' : 'interface'} ${name?.text}${parametersOf(typeParameters)}`
  const members = [node, ...hiddenBases(node, api)].flatMap((one) => [...one.members])
  return [
    [head, ...heritageClauses.map(textOf)].join(' '),
    ...members.filter((one) => isNamed(one) && !isInternal(one)).map((one) => `  ${memberOf(one)}`),
  ]
}

const namesOf = (type: ts.Type): string =>
  `{ ${type
    .getProperties()
    .map(({ name }) => name)
    .join(', ')} }`

/** What a schema describes is told by its fields, a type of another kind by its source. */
function lineOfType(node: ts.TypeAliasDeclaration, { checker }: PublicApi): string {
  const { name, typeParameters, type: source } = node
  const type = checker.getTypeAtLocation(node)
  const isInferred =
    /^z\.(?:infer|input|output)\b/.test(source.getText()) && !typeParameters && !type.isUnion()
  return `type ${name.text}${parametersOf(typeParameters)} = ${isInferred ? namesOf(type) : typeOf(source)}`
}

function lineOfVariable(node: ts.VariableDeclaration, { checker }: PublicApi): string {
  const { initializer, type } = node
  const name = node.name.getText()
  if (initializer && ts.isArrowFunction(initializer)) return `function ${name}${callOf(initializer)}`
  if (type) return `const ${name}: ${typeOf(type)}`
  if (initializer && ts.isLiteralExpression(initializer)) return `const ${name} = ${initializer.getText()}`
  const isMade = initializer && ts.isCallExpression(initializer)
  return `const ${name}: ${isMade ? 'z.ZodType' : namesOf(checker.getTypeAtLocation(node))}`
}

function linesOfDeclaration(node: ts.Declaration, api: PublicApi): string[] {
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) return linesOfMembers(node, api)
  if (ts.isFunctionDeclaration(node)) return [`function ${node.name?.text}${callOf(node)}`]
  if (ts.isTypeAliasDeclaration(node)) return [lineOfType(node, api)]
  if (ts.isVariableDeclaration(node)) return [lineOfVariable(node, api)]
  throw new Error(`the report cannot tell what this is: ${node.getText()}`)
}

/** How a name is declared, on one line; members of classes and interfaces follow on lines of their own. */
function declarationOf({ name, target }: PublicSymbol, api: PublicApi): string {
  const [head = '', ...members] = target.declarations!.flatMap((one) => linesOfDeclaration(one, api))
  // As users write it, whatever it is called within.
  return [head.replace(new RegExp(`\\b${target.name}\\b`), name), ...members].join('\n')
}

const introduction = `# The public API

Every name that users can import, by what they import it from, with the members of classes and interfaces. What is not here
is internal and may change at any time; a change here is a change for users. \`test/documentation.long.test.ts\` compares this page
with the sources, \`npm run api\` writes it.
`

/** What modules export, as a page that is compared with what it was. */
export function apiReport(api: PublicApi): string {
  const reported = new Map<ts.Symbol, PublicSymbol>()
  const sections = api.entries.map((entry) => {
    const exported = api.symbols.filter((one) => one.entry === entry)
    const declarations = exported
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((one) => {
        const before = reported.get(one.target)
        reported.set(one.target, before ?? one)
        return before ? `${one.name}: ${before.name} of ${before.entry}` : declarationOf(one, api)
      })
    return `## ${entry}\n\n\`\`\`\n${declarations.join('\n')}\n\`\`\`\n`
  })
  return [introduction, ...sections].join('\n')
}
