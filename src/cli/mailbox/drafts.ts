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
    'Mail that was written and not sent, such as what tools hold for a human where their key may send: look at it, and send it. What waits for an operator is decided by restante approvals.',
  )
  const add = addingTo(drafts)
  add('list', 'List the drafts that are not sent, newest first', true).action(list)
  add('show', 'Show a draft with all that it says').argument('<draft>', 'its id').action(show)
  add('send', 'Send a draft')
    .argument('<draft>', 'its id')
    .option('--seq <seq>', 'only as it was shown: refuse it where its seq is another', Number)
    .action(send)
  add('delete', 'Delete a draft')
    .argument('<draft>', 'its id')
    .option('--seq <seq>', 'only as it was shown: refuse it where its seq is another', Number)
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
  if (count === 0 && !options.json) output.tell('There is no draft.', {})
}

const next = ({ id, seq, status }: DraftWithContent) =>
  status === 'draft' ? `\n\n${paint('bold', `restante drafts send ${id} --seq ${seq}`)} sends it.` : ''

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
