import type { Command } from 'commander'
import type { DraftWithContent } from '../../protocol/records'
import {
  addingTo,
  type ConnectionOptions,
  callService,
  createOutput,
  draftText,
  everyPage,
  paint,
  printable,
} from '../base'
import { outcomeOf } from './outcome'

/** Defines `restante drafts …`: unsent drafts, such as those that tools held for approval. */
export function define(drafts: Command): void {
  drafts.description(
    'Show and send drafts, such as those that agent tools hold for a person. Drafts that wait for an operator are decided with restante approvals.',
  )
  const add = addingTo(drafts)
  add('list', 'List unsent drafts, newest first', true).action(list)
  add('show', 'Show a complete draft').argument('<draft>', 'id of the draft').action(show)
  add('send', 'Send a draft')
    .argument('<draft>', 'id of the draft')
    .option('--seq <seq>', 'seq that show printed. If the draft has changed since, the command fails', Number)
    .action(send)
  add('delete', 'Delete a draft')
    .argument('<draft>', 'id of the draft')
    .option('--seq <seq>', 'seq that show printed. If the draft has changed since, the command fails', Number)
    .action(remove)
}

type Options = ConnectionOptions & { json?: boolean }

async function list(options: Options): Promise<void> {
  const client = await callService('drafts', options)
  const output = createOutput(options.json)
  const all = everyPage(
    (cursor) => client.drafts.list({ cursor, limit: 100 }),
    (page) => page.drafts,
  )
  let count = 0
  for await (const draft of all) {
    if (draft.status === 'sent') continue
    count += 1
    output.tell(
      `${draft.id}  ${draft.status.padEnd(16)}  ${JSON.stringify(printable(draft.subject, 60))}`,
      draft,
    )
  }
  if (count === 0 && !options.json) output.tell('No drafts.', {})
}

const next = ({ id, seq, status }: DraftWithContent) =>
  status === 'draft' ? `\n\nSend it: ${paint('bold', `restante drafts send ${id} --seq ${seq}`)}` : ''

async function show(id: string, options: Options): Promise<void> {
  const client = await callService('drafts show', options)
  const draft = await client.drafts.get({ id, include: 'content' })
  createOutput(options.json).tell(`${draftText(draft)}${next(draft)}`, draft)
}

async function send(id: string, options: Options & { seq?: number }): Promise<void> {
  const client = await callService('drafts send', options)
  const sent = await client.drafts.send({
    id,
    expect_seq: options.seq,
    client_id: `send-draft:${id}`,
    replay: 'first_wins',
  })
  createOutput(options.json).tell(`${id}: ${outcomeOf(sent)}.`, sent)
}

async function remove(id: string, options: Options & { seq?: number }): Promise<void> {
  const client = await callService('drafts delete', options)
  await client.drafts.delete({ id, expect_seq: options.seq })
  createOutput(options.json).tell(`${printable(id)} is deleted.`, { event: 'draft.deleted', id })
}
