import MarkdownIt from 'markdown-it'
import { escapeHtml } from './html/text-to-html'

const allowed = /^(?:https?:\/\/|mailto:)/i

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
markdown.validateLink = (url) => allowed.test(url)
// A remote picture reveals to its owner who reads the message, and when.
markdown.renderer.rules.image = (tokens, at, options, env, renderer) =>
  escapeHtml(renderer.renderInlineAsText(tokens[at]?.children ?? [], options, env))

/**
 * Turns Markdown (CommonMark, with tables and `~~struck~~` text) into HTML. Keeps line breaks and shows HTML
 * as text. Links lead to `http`, `https` and `mailto` only; a picture becomes its description.
 */
export const markdownToHtml = (text: string): string => markdown.render(text)
