// Asks by mail, and sleeps in Restate until the answer comes: kill this program or Restate meanwhile, start them again,
// and it goes on. Before it: `npx @restatedev/restate-server`, and `npx restante dev`, which prints a key.
import { serve, type WorkflowContext, workflow } from '@restatedev/restate-sdk'
import { Mailbox } from 'restante'
import { askByMail, resumeByMail } from 'restante/restate'

const {
  RESTANTE_URL: url = 'http://127.0.0.1:4525',
  RESTANTE_API_KEY: apiKey = '',
  RESTATE_INGRESS: ingress = 'http://127.0.0.1:8080',
  RESTATE_ADMIN: admin = 'http://127.0.0.1:9070',
  PORT: port = '9080',
} = process.env

const mailbox = await Mailbox.open({ url, apiKey })

const approval = workflow({
  name: 'approval',
  handlers: {
    run: async (context: WorkflowContext, what: string): Promise<string> => {
      const answer = await askByMail(context, mailbox, {
        key: 'question',
        to: 'boss@example.com',
        subject: what,
        text: 'Yes or no?',
        timeoutMs: 7 * 86_400_000,
      })
      return answer?.text.trim() ?? 'no answer'
    },
  },
})

await serve({ services: [approval], port: Number(port) })
const post = (address: string, body: unknown) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
await post(`${admin}/deployments`, { uri: `http://127.0.0.1:${port}`, force: true })
resumeByMail(mailbox, { ingress })

// Where it is running already, this begins nothing.
await post(`${ingress}/approval/order-17/run/send`, 'May I order 17 bicycles?')
console.log('asked')
const answered = await fetch(`${ingress}/restate/workflow/approval/order-17/attach`)
console.log(`the boss said: ${await answered.json()}`)
process.exit()
