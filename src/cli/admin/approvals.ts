import { type Command, InvalidArgumentError } from 'commander'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { administer } from '../../service/admin/administer'
import { draftText } from '../base/draft-text'
import { createOutput, localTime, paint, printable } from '../base/output'
import { addingTo, type Flags, placeOf } from '../base/setting-flags'
import { savedAs, saveFile } from './save-files'

function seq(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number that restante approvals show prints.')
}

/** Defines `restante approvals …`: decisions that no key of an agent can make. */
export function define(approvals: Command): void {
  approvals.description(
    'Approve or reject drafts that wait for a person, because the key that wrote them cannot send. Needs access to the data folder or the database. The service may run or not.',
  )
  const add = addingTo(approvals)
  const decide = (name: string, description: string) =>
    add(name, description)
      .argument('<draft>', 'id of the draft')
      .requiredOption(
        '--seq <seq>',
        'the seq that show printed. If the draft has changed since, the command fails',
        seq,
      )
  add('list', 'List the waiting drafts, oldest first', true)
    .option('--account <account>', 'only this account: its id, or an address of its inboxes')
    .action(list)
  add('show', 'Show a complete draft, and how to approve or reject it')
    .argument('<draft>', 'id of the draft')
    .option('--save <folder>', 'save its files in this folder')
    .action(show)
  decide('approve', 'Approve and send a draft, exactly as shown').action(approve)
  decide('reject', 'Reject a draft, so that it is not sent')
    .option('--reason <text>', 'reason for the agent, which can change the draft and ask again')
    .action(reject)
}

type Decided = Flags & { seq: number; reason?: string }

async function list({ account, ...flags }: Flags & { account?: string }): Promise<void> {
  const output = createOutput(flags.json)
  let first: string | undefined
  await administer(placeOf(flags), 'list-waiting', { account }, (draft) => {
    const { id, from_addr, to, cc, bcc, subject, updated_at } = draft
    first ??= id
    const people = `${printable(from_addr, 50)} → ${printable([...to, ...cc, ...bcc].join(', '), 50)}`
    output.tell(
      `${id}  ${localTime(updated_at)}  ${people}  ${JSON.stringify(printable(subject, 60))}`,
      draft,
    )
  })
  if (flags.json) return
  const next =
    first === undefined
      ? 'No drafts wait for approval.'
      : `\nShow the complete first draft: restante approvals show ${first}`
  output.tell(next, {})
}

/** Saves the files of a draft and returns their paths. */
async function saveFiles(
  flags: Flags,
  { id, attachments }: WaitingDraftWithContent,
  folder: string,
): Promise<string[]> {
  const saved: string[] = []
  for (const position of attachments.keys()) {
    const file = await administer(placeOf(flags), 'read-waiting-file', { id, position })
    const path = savedAs(folder, position, file.filename)
    await saveFile(path, folder, Buffer.from(file.content_base64, 'base64'))
    saved.push(path)
  }
  return saved
}

async function show(id: string, { save, ...flags }: Flags & { save?: string }): Promise<void> {
  const draft = await administer(placeOf(flags), 'read-waiting', { id })
  const saved = save === undefined ? [] : await saveFiles(flags, draft, save)
  const decision = (verb: string) =>
    paint('bold', `restante approvals ${verb} ${draft.id} --seq ${draft.seq}`)
  const next =
    draft.status === 'pending_approval'
      ? `${decision('approve')}\n${decision('reject')} --reason "…"`
      : `This draft does not wait for approval. Its status is ${draft.status}.`
  const where = saved.map((path) => `Saved ${path}\n`).join('')
  createOutput(flags.json).tell(`${draftText(draft)}\n\n${where}${next}`, {
    ...draft,
    ...(save !== undefined && { saved }),
  })
}

async function approve(id: string, flags: Decided): Promise<void> {
  const sent = await administer(placeOf(flags), 'approve', { id, seq: flags.seq })
  const how =
    'message_id' in sent
      ? `it is being sent as ${sent.id}`
      : Date.parse(String(sent.scheduled_at)) > Date.now()
        ? `it will be sent at ${localTime(String(sent.scheduled_at))}`
        : 'it will be sent within seconds, or as soon as a service runs'
  createOutput(flags.json).tell(`${id} is approved: ${how}.`, sent)
}

async function reject(id: string, { seq, reason, ...flags }: Decided): Promise<void> {
  const draft = await administer(placeOf(flags), 'reject', { id, seq, reason })
  createOutput(flags.json).tell(`${id} is rejected: it will not be sent, and the agent is notified.`, draft)
}
