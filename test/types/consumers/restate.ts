import {
  type Context,
  type ObjectContext,
  service,
  type WorkflowContext,
  workflow,
} from '@restatedev/restate-sdk'
import type { Mailbox, Run } from 'restante'
import { askByMail, type MailAnswer, resumeByMail } from 'restante/restate'

const question = { key: 'first', to: 'boss@example.com', text: 'Yes or no?', timeoutMs: 1_000 }

export const services = (mailbox: Mailbox) => [
  service({
    name: 'a',
    handlers: {
      ask: (context: Context): Promise<MailAnswer | null> => askByMail(context, mailbox, question),
    },
  }),
  workflow({
    name: 'b',
    handlers: { run: (context: WorkflowContext) => askByMail(context, mailbox, question) },
  }),
]

export const inObject = (context: ObjectContext, mailbox: Mailbox) => askByMail(context, mailbox, question)

export const wake = (mailbox: Mailbox): Run => resumeByMail(mailbox, { ingress: 'http://127.0.0.1:8080' })

const keyless = { to: 'boss@example.com' }
// @ts-expect-error A mail has a key.
export const ask = (context: Context, mailbox: Mailbox) => askByMail(context, mailbox, keyless)
