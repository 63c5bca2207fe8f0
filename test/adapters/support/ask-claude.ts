// Runs an agent of the Claude Agent SDK that answers a message, and asks a human before: who says yes, or nothing.
import { query } from '@anthropic-ai/claude-agent-sdk'
import { Mailbox } from 'restante'
import { createMailboxServer } from 'restante/claude-agent'
import { claudeCode } from './claude-code'

const [url = '', apiKey = '', message = '', human] = process.argv.slice(2)
const mailbox = await Mailbox.open({ url, apiKey })
const ask = ({ text }: { text: string }) => {
  console.log(`asked: ${text.replace(/\s+/g, ' ')}`)
  return human === 'yes' ? Promise.resolve(true) : new Promise<never>(() => {})
}
const { options } = createMailboxServer(mailbox, { approve: 'send', ask })
const reply = { tool: 'reply', input: { message, text: 'The price for you is 10.' } }
const run = query({
  prompt: 'Answer Ana.',
  options: { ...options, ...claudeCode([reply, 'Done.']), tools: [] },
})
for await (const one of run) if (one.type === 'result') console.log('ended')
await mailbox.close()
process.exit(0)
