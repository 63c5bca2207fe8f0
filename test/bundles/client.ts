// What is bundled into one file, to be run where nothing is installed.
import { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/ai-sdk'

async function main() {
  const [, , url = '', apiKey = ''] = process.argv
  const mailbox = await Mailbox.open({ url, apiKey })
  console.log(mailbox.state.status, Object.keys(createMailboxTools(mailbox, { readOnly: true })).length > 5)
  await mailbox.close()
}
main()
