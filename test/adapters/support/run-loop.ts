// A process whose agent answers by a tool, and then says nothing more, or comes to its end.
import { Mailbox } from 'restante'
import { type LoopAgentName, runLoop } from './loops'

const [url = '', apiKey = '', name, until] = process.argv.slice(2)
const mailbox = await Mailbox.open({ url, apiKey })
let turns = 0
runLoop(name as LoopAgentName, mailbox, (reported) => {
  turns += 1
  if (turns === 1) {
    const message = /m\d+-\w{3}/.exec(reported)![0]
    return { tool: 'reply', input: { message, text: `Yes, says ${until}.` } }
  }
  console.log(`told ${reported}`)
  return until === 'killed' ? new Promise(() => {}) : 'That is all.'
})
