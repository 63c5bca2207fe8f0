import { htmlToText } from '../../../mail/html'
import type { OutboundPorts } from '../delivery'

/** The body of a mail as a request has it: Markdown stands in the place of the others. */
interface WrittenBody {
  text?: string | null | undefined
  html?: string | null | undefined
  markdown?: string | undefined
}

/** Puts HTML, and the text that it reads as, in the place of Markdown: nothing behind this knows of it. */
export async function fromMarkdown<Content extends WrittenBody>(
  ports: Pick<OutboundPorts, 'parser'>,
  { markdown, ...content }: Content,
): Promise<Omit<Content, 'markdown'>> {
  if (markdown === undefined) return content
  const html = await ports.parser.markdownToHtml(markdown)
  return { ...content, html, text: htmlToText(html) }
}
