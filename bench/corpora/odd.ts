import { parseMail } from '../../src/mail/parse'
import { oddMails } from '../../test/mail/odd-mails'
import { count, type Row } from './row'

const encoder = new TextEncoder()

/** Mail against the rules, by class, read as it was meant. */
export async function oddRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, mails] of Object.entries(oddMails)) {
    const right = await Promise.all(
      mails.map(
        async ({ raw, read, wanted }) =>
          JSON.stringify(read(await parseMail(encoder.encode(raw)))) === JSON.stringify(wanted),
      ),
    )
    rows.push([`own: ${name}`, right.length, count(right, Boolean)])
  }
  return rows
}
