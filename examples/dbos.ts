// Asks by mail, and sleeps in DBOS until the answer comes: kill this program or the service meanwhile, start them again,
// and it goes on. Before it: a PostgreSQL, and `npx restante dev`, which prints a key.
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Mailbox } from 'restante'
import { askByMail, resumeByMail } from 'restante/dbos'

const {
  RESTANTE_URL: url = 'http://127.0.0.1:4525',
  RESTANTE_API_KEY: apiKey = '',
  DBOS_DATABASE_URL: systemDatabaseUrl = 'postgresql://postgres@127.0.0.1:5432/test',
  DBOS_SCHEMA: systemDatabaseSchemaName = 'dbos',
} = process.env

const mailbox = await Mailbox.open({ url, apiKey })

const approval = DBOS.registerWorkflow(
  async (what: string): Promise<string> => {
    const answer = await askByMail(DBOS, mailbox, {
      key: 'question',
      to: 'boss@example.com',
      subject: what,
      text: 'Yes or no?',
      timeoutMs: 7 * 86_400_000,
    })
    return answer?.text.trim() ?? 'no answer'
  },
  { name: 'approval' },
)

DBOS.setConfig({ name: 'approvals', systemDatabaseUrl, systemDatabaseSchemaName, logLevel: 'error' })
await DBOS.launch()
resumeByMail(DBOS, mailbox)

// Where it is running already, this begins nothing.
const running = await DBOS.startWorkflow(approval, { workflowID: 'order-17' })('May I order 17 bicycles?')
console.log('asked')
console.log(`the boss said: ${await running.getResult()}`)
process.exit()
