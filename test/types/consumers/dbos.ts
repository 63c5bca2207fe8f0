import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Mailbox, Run } from 'restante'
import { askByMail, resumeByMail } from 'restante/dbos'

export const approval = (mailbox: Mailbox) =>
  DBOS.registerWorkflow(async (order: string): Promise<string> => {
    const answer = await askByMail(DBOS, mailbox, { key: 'first', to: 'boss@example.com', subject: order })
    // @ts-expect-error There may be none.
    answer.text
    return answer?.text ?? 'no answer'
  })

export const wake = (mailbox: Mailbox): Run => resumeByMail(DBOS, mailbox)
