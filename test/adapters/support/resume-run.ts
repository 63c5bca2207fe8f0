// Another process, which has seen Bob's mail first, goes on with a run that was interrupted elsewhere.
import { Mailbox } from 'restante'
import { interruptedRuns } from './interrupted'

const [url = '', apiKey = '', name, stored = ''] = process.argv.slice(2)
const mailbox = await Mailbox.open({ url, apiKey })
const { items } = await mailbox.messages.list({ from: 'bob@example.com' })
for (const message of items) await message.toPrompt()
await interruptedRuns.find((run) => run.name === name)!.resume(mailbox, stored)
await mailbox.close()
console.log('resumed')
// What frameworks leave open would keep the process.
process.exit(0)
