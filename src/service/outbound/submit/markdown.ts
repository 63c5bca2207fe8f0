import { refuse } from '../../base/refuse'
import type { OutboundPorts } from '../delivery/ports'

/** Body in a request: Markdown replaces the other two. */
interface WrittenBody {
  text?: string | null | undefined
  html?: string | null | undefined
  markdown?: string | undefined
}

type ParserPorts = Pick<OutboundPorts, 'parser'>

/**
 * Replaces Markdown by HTML and the text of that; later steps do not see it.
 *
 * @throws ServiceError `invalid_request` if it takes too long
 */
export async function fromMarkdown<Content extends WrittenBody>(
  { parser }: ParserPorts,
  { markdown, ...content }: Content,
): Promise<Omit<Content, 'markdown'>> {
  if (markdown === undefined) return content
  return { ...content, ...(await converted('markdown', parser.markdown(markdown))) }
}

/**
 * Returns the text of a body, converted from its HTML if it has no other.
 *
 * @throws ServiceError `invalid_request` if that takes too long
 */
export async function textOf(
  { parser }: ParserPorts,
  { text, html }: { text?: string | undefined; html?: string | undefined },
): Promise<string | undefined> {
  if (text !== undefined || html === undefined) return text
  return converted('html', parser.htmlText(html))
}

/** Refuses a body that a thread could not convert within its time and memory. */
async function converted<Result>(field: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isUnavailable(error)) throw error
    const problem = 'takes too long to turn into text: simplify it, or give text and html'
    throw refuse('invalid_request', `The body is not valid: ${field} ${problem}.`, [{ field, problem }])
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'PARSER_UNAVAILABLE'
