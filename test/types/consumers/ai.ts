// `ToolLoopAgent` by the one name that it has in every version.
import { Experimental_Agent as Agent, generateText, type LanguageModel, stepCountIs, type ToolSet } from 'ai'
import type { Mailbox } from 'restante'
import { agentInbox, createMailboxTools } from 'restante/ai-sdk'

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

export function answerAll(mailbox: Mailbox, model: LanguageModel) {
  const agent = new Agent({ model, tools: createMailboxTools(mailbox, { readOnly: true }) })
  const runs = [agentInbox({ mailbox, agent }), agentInbox({ mailbox, agent: () => agent })]
  return [...runs, agentInbox({ mailbox, agent: ({ tools }) => new Agent({ model, tools }) })]
}
