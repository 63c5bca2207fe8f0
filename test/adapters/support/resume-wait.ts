// Another process goes on with a run that waits for an answer by mail, and prints what its model reads.
import { Mailbox } from 'restante'
import { waitingRuns } from './waiting-runs'

const [url = '', apiKey = '', name, stored = ''] = process.argv.slice(2)
const mailbox = await Mailbox.open({ url, apiKey })
console.log(await waitingRuns.find((run) => run.name === name)!.resume(mailbox, stored))
await mailbox.close()
// What frameworks leave open would keep the process.
process.exit(0)
