import type { Command } from 'commander'
import type { Draft, DraftWithContent } from '../../protocol/records/draft'
import { addingTo, type Call, calling } from '../base/connection'
import { draftText, outcomeOf } from '../base/draft-text'
import { paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante drafts …`: unsent drafts, such as those that tools held for approval. */
export function define(drafts: Command): void {
  drafts.description(
    'Show and send drafts, such as those that agent tools hold for a person. Drafts that wait for an operator are decided with restante approvals.',
  )
  const add = addingTo(drafts)
  const change = (name: string, description: string) =>
    add(name, description)
      .argument('<draft>', 'id of the draft')
      .option(
        '--seq <seq>',
        'seq that show printed. If the draft has changed since, the command fails',
        Number,
      )
  add('list', 'List unsent drafts, newest first', true).action(calling(list))
  add('show', 'Show a complete draft').argument('<draft>', 'id of the draft').action(calling(show))
  change('send', 'Send a draft').action(calling(send))
  change('delete', 'Delete a draft').action(calling(remove))
}

const line = ({ id, status, subject }: Draft) =>
  `${id}  ${status.padEnd(16)}  ${JSON.stringify(printable(subject, 60))}`

async function list(call: Call): Promise<void> {
  const all = everyPage(
    (cursor) => call.client.drafts.list({ cursor, limit: 100 }),
    (page): Draft[] => page.drafts.filter(({ status }) => status !== 'sent'),
  )
  await tellRows(call, all, line, 'No drafts.')
}

const next = ({ id, seq, status }: DraftWithContent) =>
  status === 'draft' ? `\n\nSend it: ${paint('bold', `restante drafts send ${id} --seq ${seq}`)}` : ''

async function show({ client, output }: Call, id: string): Promise<void> {
  const draft = await client.drafts.get({ id, include: 'content' })
  output.tell(`${draftText(draft)}${next(draft)}`, draft)
}

async function send({ client, output }: Call, id: string, { seq }: { seq?: number }): Promise<void> {
  const answer = await client.drafts.send({
    id,
    expect_seq: seq,
    client_id: `send-draft:${id}`,
    replay: 'first_wins',
  })
  output.tell(`${id}: ${outcomeOf(answer)}.`, answer)
}

async function remove({ client, output }: Call, id: string, { seq }: { seq?: number }): Promise<void> {
  await client.drafts.delete({ id, expect_seq: seq })
  output.tell(`${printable(id)} is deleted.`, { event: 'draft.deleted', id })
}
