import type { ParsedMail } from '../../mail'
import { patternsOf } from '../accounts'
import { judge, type ListEntry, normalizePattern } from '../lists'
import type { ChangeContext } from '../log'
import type { NewMessage } from '../messages'

/** Returns a message as its inbox treats its sender. */
type Treat = (inboxId: string, mail: ParsedMail, mailFrom: string) => ParsedMail

const asTheyAre: Treat = (_, mail) => mail

/** Reports of programs, which no setting makes a person's. */
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

/** Reads which senders inboxes treat as persons and as programs, whatever headers say. */
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
  // Of two entries for the same addresses, the first counts: a program that is taken for a person may be in a loop.
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

/** Gives messages as their inboxes treat their senders. */
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
