import { titled } from './shown'

/**
 * Handles of messages, and ids of drafts of other runs, in the format of the tools. The text before or after
 * a handle is what a tool writes only for a message that exists.
 */
const handle =
  /(message\\?": ?\\?"|of message )?\b(m[1-9]\d{0,14}-[0-9a-z]{3})\b(; (?:\d+ messages?; last |since )?\d{4}-\d\d-\d\dT)?|(?<=written elsewhere: )drf_[0-9a-z]{1,40}\b/g
/** Tools whose outputs name messages that the model wrote itself. */
const writing: ReadonlySet<unknown> = new Set(['send_mail', 'reply', 'forward', 'send_draft'])
/** Keys of the model's own input, which it was not shown. */
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
 * Finds the handles of messages that a model was shown in the messages of its run, for any framework: in
 * prompts and in outputs of tools. Text of others may name messages too, which does no harm: they count as
 * shown. A message shown with its title counts as shown even if it was erased since.
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
  const look = (node: unknown, isReported: boolean, depth: number): void => {
    if (typeof node === 'string') {
      if (!isReported) return
      for (const [one, before, message, behind] of node.matchAll(handle))
        found.add(before || behind ? titled(message!) : (message ?? one))
    } else if (typeof node === 'object' && node !== null && !ArrayBuffer.isView(node)) {
      if (seen.has(node) || depth > deepest) return
      seen.add(node)
      if (Array.isArray(node)) for (const one of node) look(one, isReported, depth + 1)
      else lookInto(node, isReported, depth)
    }
  }
  const lookInto = (node: object, isReported: boolean, depth: number): void => {
    const tool = toolOf(node)
    if (writing.has(tool)) return
    const isNowReported = tool !== undefined || (isReported && !isFromModel(node))
    for (const [key, value] of Object.entries(node))
      if (!given.has(key)) look(value, isNowReported, depth + 1)
  }
  look(transcript, true, 0)
  return [...found]
}
