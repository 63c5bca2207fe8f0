/**
 * Lets 300 mails come into a mailbox among 60 kills, with CONDSTORE and without: `npm run soak:imap`, after a build.
 * Arguments: the number of mails, and of kills.
 */
import { livingMailbox } from './support/living-mailbox'

const [mails = 300, kills = 60] = process.argv.slice(2).map(Number)
for (const withoutCondstore of [false, true]) {
  const seen = await livingMailbox({ mails, kills, withoutCondstore, tell: (words) => console.log(words) })
  console.log(`${mails} mails, ${kills} kills, ${withoutCondstore ? 'without' : 'with'} CONDSTORE:`, seen)
  if (Object.values(seen).some(({ length }) => length > 0)) process.exitCode = 1
}
