import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { whySlow } from '../support/slow-patterns'

const root = resolve(import.meta.dirname, '../..')
const ofCss = 'a value of CSS has 1,000 characters and no runs of white space: readDeclaration'

/** Patterns that the rule finds and that are no danger, with the reason: by the file, then by how they begin. */
const reviewed: Record<string, Record<string, string>> = {
  'src/mail/codes.ts': { '\\d[\\d ()./-]{5,}\\d': 'a line has 400 characters: MAX_LINE' },
  'src/mail/custom-header.ts': { '<[^<>]*>|"(?:': 'the end of the text ends a quote, too' },
  'src/mail/headers/address-list.ts': { '^\\s*(?:[\\w.+=-]+@': 'reads 200 characters: MAX_PLAIN_LENGTH' },
  'src/mail/headers/mail-date.ts': { '(\\d{1,2})[ -]+': 'reads 120 characters' },
  'src/mail/html/css/colors.ts': { '^(\\d{1,3}(?:\\.\\d+)?)%': ofCss },
  'src/mail/html/css/data-sheets.ts': {
    '@(?:charset|layer|import)': 'nothing behind its repetition can fail',
  },
  'src/mail/html/css/geometry.ts': {
    '^\\s*(?:x|y|1 0 0': ofCss,
    '\\s*,\\s*|\\s+(?!': ofCss,
    '(?<![a-z\\d])([a-z\\d]+)\\(': ofCss,
  },
  'src/mail/html/css/lengths.ts': { '[a-z-]*\\(|[()*/,]': 'reads 200 characters: MAX_MATH' },
  'src/mail/html/css/media.ts': {
    '^\\(\\s*([a-z-]+)': 'white space is folded: fitsMedia',
    '^\\(\\s*(width|height)': 'white space is folded: fitsMedia',
    '\\b(?:scan|grid|update': 'a query has 1,000 characters: MAX_QUERY',
    '\\bor\\b|\\(\\s*': 'a query has 1,000 characters: MAX_QUERY',
  },
  'src/mail/html/css/properties.ts': {
    '\\s*,\\s*': ofCss,
    '(?:^|\\s)[+-]?[\\d.]+': ofCss,
    '^(?:auto\\b\\s*)?': ofCss,
    '\\s*\\/\\s*': ofCss,
    '\\/(?![^(]*\\))': ofCss,
  },
  'src/mail/html/css/selectors.ts': {
    ':(?:is|where)\\(': 'its parentheses keep apart what is repeated',
    '(\\*)|(': 'is sticky, and a word is read in one way but for one space at its end',
  },
  'src/mail/html/css/syntax.ts': { '(?:[^\\s(]|\\((?:': ofCss },
  'src/mail/html/seen-html.ts': { '<!--[\\s\\S]*?': 'the end of the text ends it, too' },
  'src/mail/html/shown-text.ts': { '\\n[\\s>]*\\n': 'fails once in each run that it repeats' },
  'src/mail/html/visibility.ts': {
    'var\\(\\s*': ofCss,
    ',(?![^(]*\\))': ofCss,
    '(?:^|\\s)opacity': ofCss,
    '(?:^|\\s)drop-shadow': ofCss,
    '(?:^|\\s)([a-z-]+)\\(': ofCss,
  },
  'src/mail/reports/bounce.ts': { '(?<![\\d.])([245])': 'is tried once in each run of digits and dots' },
  'src/mail/text/marked-lines.ts': { '[a-z]+$': 'reads phrases of this package' },
  'src/mail/text/quote-lines.ts': {
    '[^\\p{Ll}\\s][^\\s]*[\\s,]+': 'reads a few lines that are short: every pattern there does',
    '(?:^|[^\\p{L}])(?:x)(?:[\\s,]+': 'what parts words is in none of them: each is read in one way',
  },
  'src/mail/text/signature.ts': { '[<(]\\s?https?:': 'a line has 140 characters: MAX_SENT_FROM_LENGTH' },
  'src/console/core/location.ts': { '\\/+$': 'reads the address of this console' },
  'src/service/operators/pages.ts': { '\\/+$': 'reads the address of this service' },
  'src/mail/link-kinds.ts': { '(?:[^|()]|': 'reads the phrases of this file only' },
  'src/service/log/log-partitions.ts': { 'FROM \\(': 'reads what PostgreSQL says of its own tables' },
  'src/service/messages/thread-guess.ts': { '[([]\\s*(?:was|war': 'reads 200 characters: maxCompared' },
  'src/service/net/client-address.ts': { '(?:^|;)\\s*for=': 'Node takes 16 KB of header fields' },
  'src/service/outbound/delivery/reason.ts': { '<[^<>]*>|\\S+@': 'a reply is cut: maxResponse' },
  'src/service/search/query.ts': { '^(?:\\p{L}': 'a search has 2,000 characters' },
  'src/service/settings.ts': { '\\/+$': 'reads a setting' },
  'adapters/restate.ts': { '\\/*$': 'reads an option of the developer' },
}

const isReviewed = (path: string, pattern: string): boolean =>
  Object.keys(reviewed[path] ?? {}).some((start) => pattern.startsWith(start))

interface Literal {
  path: string
  pattern: string
  flags: string
}

/** The regular expressions of a file: literals, and texts and templates that `new RegExp` is given. */
function patternsIn(path: string, text: string): Literal[] {
  const found: Literal[] = []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const constants = constantsIn(file)
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ path, pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const [first, flags] = node.arguments ?? []
      const isMade = node.expression.getText(file) === 'RegExp'
      const pattern = isMade && first && textOf(first, constants)
      if (pattern) found.push({ path, pattern, flags: flags && ts.isStringLiteral(flags) ? flags.text : '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

type Constants = ReadonlyMap<string, ts.Expression>

/** What the constants of a file are set to, by their names. */
function constantsIn(file: ts.SourceFile): Constants {
  const found = new Map<string, ts.Expression>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      found.set(node.name.text, node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The text of an expression, with a letter for each part that this file does not tell; null if it is no text. */
function textOf(node: ts.Expression, constants: Constants): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text)
    return (value && textOf(value, new Map([...constants].filter(([name]) => name !== node.text)))) ?? null
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const value = ts.isIdentifier(node.expression) && constants.get(node.expression.text)
    return value && ts.isRegularExpressionLiteral(value)
      ? value.text.slice(1, value.text.lastIndexOf('/'))
      : null
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return partOf(node.left, constants) + partOf(node.right, constants)
  const isRaw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw'
  const template = isRaw ? node.template : node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText!
  if (!ts.isTemplateExpression(template)) return null
  const read = ({ text, rawText }: ts.TemplateLiteralLikeNode) => (isRaw ? rawText! : text)
  const spans = template.templateSpans.map((span) => partOf(span.expression, constants) + read(span.literal))
  return read(template.head) + spans.join('')
}

const partOf = (node: ts.Expression, constants: Constants): string => textOf(node, constants) ?? 'x'

const folders = ['src/mail', 'src/service', 'src/console', 'src/mailbox', 'src/protocol', 'adapters']
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\.tsx?$/.test(path)),
)
const patterns = files.flatMap((path) => patternsIn(path, readFileSync(join(root, path), 'utf8')))

describe('the regular expressions of each folder that reads what strangers write', () => {
  it('take linear time', () => {
    expect(patterns.length).toBeGreaterThan(700)
    const slow = patterns.flatMap(({ path, pattern, flags }) => {
      const why = isReviewed(path, pattern) ? null : whySlow(pattern, flags)
      return why ? [`${path}: /${pattern}/${flags}: ${why}`] : []
    })
    expect(slow).toEqual([])
  })

  it('are all there that were reviewed', () => {
    const gone = Object.entries(reviewed).flatMap(([path, starts]) =>
      Object.keys(starts).filter(
        (start) => !patterns.some((one) => one.path === path && one.pattern.startsWith(start)),
      ),
    )
    expect(gone).toEqual([])
  })
})

describe('what is looked at', () => {
  it.each([
    ['a literal', 'const a = /b+/u', 'b+'],
    ['a text', "new RegExp('b+', 'u')", 'b+'],
    ['a template', 'new RegExp(`a§{b}c`)', 'axc'],
    ['a template of constants', "const b = '[b]+'\nnew RegExp(`a§{b}$`)", 'a[b]+$'],
    ['a raw template', 'new RegExp(String.raw`\\s§{b}`)', '\\sx'],
    ['texts that are joined', "new RegExp('a' + `b§{c}`)", 'abx'],
    ['the source of another', 'const a = /b/\nnew RegExp(`§{a.source}c`)', 'bc'],
  ])('is %s', (_what, source, pattern) => {
    expect(patternsIn('x.ts', source.replaceAll('§', '$')).map((one) => one.pattern)).toContain(pattern)
  })
})

describe('the rule for regular expressions', () => {
  it.each([
    ['an end that is sought from everywhere', '[\\s>]+$', ''],
    ['the same in a choice', '^[\\s<]+|[\\s>]+$', 'g'],
    ['a repetition in a repetition', '(a+)+$', ''],
    ['the same with a choice', '^(?:a|[ab]*)*$', ''],
    ['white space around a sign', '\\s*=\\s*', 'g'],
    ['all up to a sign', '\\(.*%', ''],
    ['two repetitions of the same', '^\\s*(?:is\\s*)?:?\\s*$', ''],
    ['digits before and behind a dot that may be missing', '^\\d+\\.?\\d*$', ''],
    ['a look ahead', 'a(?=[^<]*>)', ''],
  ])('finds %s', (_what, pattern, flags) => {
    expect(whySlow(pattern, flags)).not.toBeNull()
  })

  it.each([
    ['a tag', '<[^<>]*>', 'g'],
    ['a quoted string', '^"(?:[^"\\\\]|\\\\.)*"$', 's'],
    ['the last thing', 'https?:\\S+', ''],
    ['words with a space between', '^[a-z]+(?: [a-z]+)*$', ''],
    ['a name that begins where no letter is before it', '(?<![a-z])[a-z]+\\(', ''],
    ['all that is left', '^\\s*([a-z]+)=([\\s\\S]*)$', ''],
    ['a few', '[a-z]{0,200}$', ''],
  ])('lets %s pass', (_what, pattern, flags) => {
    expect(whySlow(pattern, flags)).toBeNull()
  })
})
