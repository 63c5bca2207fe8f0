import { titled } from './shown'

/**
 * Messages, and drafts that others wrote, as the tools name them. What stands before or behind is how a tool begins to tell
 * of a message that is there.
 */
const handle =
  /(message\\?": ?\\?"|of message )?\b(m[1-9]\d{0,14}-[0-9a-z]{3})\b(; (?:\d+ messages?; last |since )?\d{4}-\d\d-\d\dT)?|(?<=written elsewhere: )drf_[0-9a-z]{1,40}\b/g
/** Tools whose answers name mail that the model wrote itself. */
const writing: ReadonlySet<unknown> = new Set(['send_mail', 'reply', 'forward', 'send_draft'])
/** Keys of what the model gave, not of what it was shown. */
const given: ReadonlySet<string> = new Set(
  'args arguments input rawInput tool_calls toolCalls invalid_tool_calls tool_call_chunks'.split(' '),
)
const deepest = 12

interface Part {
  readonly role?: unknown
  readonly type?: unknown
  readonly name?: unknown
  readonly toolName?: unknown
  readonly response?: unknown
  readonly output?: unknown
}

const isFromModel = ({ role, type }: Part) =>
  role === 'assistant' || role === 'model' || type === 'ai' || type === 'tool_use'
const toolOf = ({ toolName, role, type, name, response, output }: Part) => {
  const isAnswer = role === 'tool' || type === 'tool' || response !== undefined || output !== undefined
  return toolName ?? (isAnswer ? name : undefined)
}

/**
 * Finds the handles of the mail that a model was shown, in the messages of its run, of whatever framework: in what it was
 * asked and in the answers of tools. What was written by others may name mail too, which does no harm: it counts as shown.
 * A message that has a title there counts as shown though it was erased since.
 *
 * @example
 * ```ts
 * import { createToolbox, handlesIn } from 'restante/tools'
 *
 * const messages = [{ role: 'user', content: await message.toPrompt() }]
 * const toolbox = createToolbox(mailbox, { shown: handlesIn(messages) })
 * ```
 */
export function handlesIn(transcript: readonly unknown[]): string[] {
  const found = new Set<string>()
  const seen = new Set<object>()
  const look = (node: unknown, isTold: boolean, depth: number): void => {
    if (typeof node === 'string') {
      if (!isTold) return
      for (const [one, before, message, behind] of node.matchAll(handle))
        found.add(before || behind ? titled(message!) : (message ?? one))
    } else if (typeof node === 'object' && node !== null && !ArrayBuffer.isView(node)) {
      if (seen.has(node) || depth > deepest) return
      seen.add(node)
      if (Array.isArray(node)) for (const one of node) look(one, isTold, depth + 1)
      else lookInto(node, isTold, depth)
    }
  }
  const lookInto = (node: object, isTold: boolean, depth: number): void => {
    const tool = toolOf(node)
    if (writing.has(tool)) return
    const isNowTold = tool !== undefined || (isTold && !isFromModel(node))
    for (const [key, value] of Object.entries(node)) if (!given.has(key)) look(value, isNowTold, depth + 1)
  }
  look(transcript, true, 0)
  return [...found]
}
