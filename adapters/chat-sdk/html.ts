import type { FormattedContent } from 'chat'

interface Node {
  type: string
  value?: string
  url?: string
  alt?: string | null
  lang?: string | null
  depth?: number
  ordered?: boolean | null
  start?: number | null
  children?: Node[]
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!)

/** Returns whether a link leads to a page or a mail program. Any other link is shown as its text. */
const isSafe = (url: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(url)

const inner = ({ children = [] }: Node): string => children.map(render).join('')
const wrap = (tag: string) => (node: Node) => `<${tag}>${inner(node)}</${tag}>`
const block = (tag: string) => (node: Node) => `<${tag}>${inner(node)}</${tag}>\n`

const row = (node: Node, tag: 'td' | 'th') =>
  `<tr>${(node.children ?? []).map((cell) => `<${tag}>${inner(cell)}</${tag}>`).join('')}</tr>\n`

const renderers: Readonly<Record<string, (node: Node) => string>> = {
  paragraph: block('p'),
  blockquote: block('blockquote'),
  heading: (node) => block(`h${node.depth ?? 1}`)(node),
  strong: wrap('strong'),
  emphasis: wrap('em'),
  delete: wrap('del'),
  listItem: block('li'),
  list: (node) => {
    const start = node.ordered && (node.start ?? 1) !== 1 ? ` start="${node.start}"` : ''
    const tag = node.ordered ? 'ol' : 'ul'
    return `<${tag}${start}>\n${inner(node)}</${tag}>\n`
  },
  link: (node) =>
    isSafe(node.url ?? '') ? `<a href="${escaped(node.url!)}">${inner(node)}</a>` : inner(node),
  image: ({ url = '', alt }) =>
    isSafe(url) ? `<a href="${escaped(url)}">${escaped(alt || url)}</a>` : escaped(alt ?? ''),
  inlineCode: ({ value = '' }) => `<code>${escaped(value)}</code>`,
  code: ({ value = '' }) => `<pre><code>${escaped(value)}</code></pre>\n`,
  break: () => '<br>\n',
  thematicBreak: () => '<hr>\n',
  table: ({ children: [head, ...rows] = [] }) =>
    `<table>\n${head ? row(head, 'th') : ''}${rows.map((one) => row(one, 'td')).join('')}</table>\n`,
}

/** Renders a node. HTML within Markdown is shown as text. */
const render = (node: Node): string => {
  const known = renderers[node.type]
  if (known) return known(node)
  return node.children ? inner(node) : escaped(node.value ?? '')
}

/** Renders Markdown as the HTML of a message. */
export const toHtml = (content: FormattedContent): string => render(content as Node)
