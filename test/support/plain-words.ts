import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A paragraph of prose and where it stands. */
export interface Paragraph {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Files below a folder whose names match, in order. */
export const filesBelow = (folder: string, name: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .sort()
    .map((path) => join(folder, path))

/** Prose as a reader counts it: inline code and addresses are one word each, marks of Markdown none. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\{@\w+ ([^}]*)\}/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/https?:\/\/\S+/g, 'address')
    .replace(/[*_]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Paragraphs, list items and table cells of a Markdown text; code blocks and headings are left out. */
export function paragraphsOf(file: string, markdown: string, firstLine = 1): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let lines: string[] = []
  let start = firstLine
  const finish = () => {
    const text = plain(lines.join(' '))
    if (text) paragraphs.push({ file, line: start, text })
    lines = []
  }
  let fence = ''
  for (const [index, line] of markdown.split('\n').entries()) {
    const number = firstLine + index
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence)) fence = ''
    } else if (mark) {
      finish()
      fence = mark
    } else if (/^\s*$|^\s*#/.test(line)) finish()
    else if (/^\s*\|/.test(line)) {
      finish()
      if (!/^[\s|:-]+$/.test(line))
        for (const cell of line.split(/(?<!\\)\|/)) {
          const text = plain(cell)
          if (text) paragraphs.push({ file, line: number, text })
        }
    } else {
      if (/^\s*(?:[-*+]|\d+\.)\s|^\s*>/.test(line)) finish()
      if (lines.length === 0) start = number
      lines.push(line.replace(/^\s*(?:[-*+]|\d+\.|>)\s+/, ''))
    }
  }
  finish()
  return paragraphs
}

/** Doc comments of a source file, a paragraph each for the text and for each tag; examples are left out. */
export function commentsOf(file: string): Paragraph[] {
  const source = readFileSync(file, 'utf8')
  const found: Paragraph[] = []
  for (const match of source.matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
    const line = source.slice(0, match.index).split('\n').length
    const text = (match[1] ?? '').replace(/^[ \t]*\* ?/gm, '')
    for (const [index, part] of text.split(/^(?=@)/m).entries()) {
      if (/^@(?:example|internal|module)/.test(part)) continue
      const prose = index === 0 ? part : part.replace(/^@\w+(?:\s+\{[^}]*\})?/, '')
      found.push(...paragraphsOf(file, prose, line))
    }
  }
  return found
}

/** Descriptions in the schemas and routes of the API: all strings with more than five words. */
export function descriptionsOf(file: string): Paragraph[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Paragraph[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && node.text.split(' ').length > 5) {
      const { line } = source.getLineAndCharacterOfPosition(node.pos)
      found.push(...paragraphsOf(file, node.text, line + 1))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Sentences of a paragraph. */
export const sentencesOf = ({ text }: Paragraph): string[] =>
  text.split(/(?<=[.!?]["”)]?)\s+(?=["“(]?[\p{Lu}\d]|code\b)/u).filter(Boolean)

/** Number of words that have a letter or a digit. */
export const wordsIn = (text: string): number =>
  text.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length
