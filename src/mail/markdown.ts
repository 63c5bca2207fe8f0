import MarkdownIt from 'markdown-it'
import { escapeHtml } from './html'

const allowed = /^(?:https?:\/\/|mailto:)/i

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
markdown.validateLink = (url) => allowed.test(url)
// A picture elsewhere tells its owner who reads the mail, and when.
markdown.renderer.rules.image = (tokens, at, options, env, renderer) =>
  escapeHtml(renderer.renderInlineAsText(tokens[at]?.children ?? [], options, env))

/**
 * Turns Markdown (CommonMark, with tables and `~~struck~~` text) into HTML. Line breaks stay; HTML within it is text,
 * links lead to `http`, `https` and `mailto` only, and of a picture its description is left.
 */
export const markdownToHtml = (text: string): string => markdown.render(text)
