import type { ParsedMail } from '../../mail/parsed-mail'
import { patternsOf } from '../accounts/account-inboxes'
import { judge, type ListEntry, normalizePattern } from '../lists/list-match'
import type { ChangeContext } from '../log/registry'
import type { NewMessage } from '../messages/add-message'

/** Returns a message with the treatment of its sender by the inbox. */
type Treat = (inboxId: string, mail: ParsedMail, mailFrom: string) => ParsedMail

const asTheyAre: Treat = (_, mail) => mail

/** Reports of programs, which no setting turns into messages of a person. */
const reports = new Set(['bounce', 'complaint', 'receipt'])

const isReport = ({ bounce, complaint, autoReason }: ParsedMail): boolean =>
  bounce !== null || complaint !== null || reports.has(autoReason ?? '')

const asPerson = (mail: ParsedMail): ParsedMail => ({
  ...mail,
  ...{ autoSubmitted: 'no', autoReason: null, via: mail.via && { ...mail.via, isMarked: false } },
})

const asProgram = (mail: ParsedMail): ParsedMail => ({
  ...mail,
  ...{ autoSubmitted: 'auto-generated', autoReason: 'notification', via: null },
})

type Kind = 'person' | 'program'

const entriesOf = (kind: Kind, column: string | null): ListEntry<Kind>[] =>
  patternsOf(column).map((pattern) => ({ pattern: normalizePattern(pattern), kind }))

/** Reads which senders inboxes treat as persons and as programs, regardless of headers. */
export async function treatmentOf(
  { tx, account }: ChangeContext,
  inboxIds: readonly string[],
): Promise<Treat> {
  if (account.treats_senders === 0 || inboxIds.length === 0) return asTheyAre
  const rows = await tx
    .selectFrom('inboxes')
    .select(['id', 'treat_as_person', 'treat_as_program'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', 'in', [...new Set(inboxIds)])
    .execute()
  // The first of two entries for the same addresses counts: a program treated as a person may cause a loop.
  const entries = new Map(
    rows.map((row) => [
      row.id,
      [...entriesOf('program', row.treat_as_program), ...entriesOf('person', row.treat_as_person)],
    ]),
  )
  return (inboxId, mail, mailFrom) => {
    const kind = judge(mail.from?.address ?? mailFrom, entries.get(inboxId) ?? [])?.kind
    if (kind === 'person') return mailFrom === '' || isReport(mail) ? mail : asPerson(mail)
    return kind === 'program' && mail.autoSubmitted === 'no' ? asProgram(mail) : mail
  }
}

/** Returns messages with the treatment of their senders by the inboxes. */
export async function treatSenders(
  change: ChangeContext,
  messages: readonly NewMessage[],
): Promise<NewMessage[]> {
  const treat = await treatmentOf(
    change,
    messages.map(({ inboxId }) => inboxId),
  )
  return messages.map((one) => ({ ...one, mail: treat(one.inboxId, one.mail, one.mailFrom) }))
}
