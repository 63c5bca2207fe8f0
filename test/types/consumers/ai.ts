import { generateText, type LanguageModel, stepCountIs, type ToolSet } from 'ai'
import type { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/ai-sdk'

export async function answer(mailbox: Mailbox, model: LanguageModel): Promise<string> {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'read_thread'] })
  const all: ToolSet = createMailboxTools(mailbox)
  await generateText({ model, tools: all, prompt: 'Go on.' })
  const { text, toolCalls } = await generateText({ model, tools, prompt: 'Go on.', stopWhen: stepCountIs(3) })
  // @ts-expect-error It was not asked for.
  tools.send_mail
  const names: readonly ('reply' | 'read_thread' | (string & {}))[] = toolCalls.map(
    ({ toolName }) => toolName,
  )
  return text + names.join()
}
