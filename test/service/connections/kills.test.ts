import { describe, expect, it } from 'vitest'
import { hasDovecot } from '../../support/dovecot'
import { livingMailbox } from './support/living-mailbox'

/** `npm run soak:imap` asks for more. */
const soak = Number(process.env.RESTANTE_SOAK_IMAP ?? 0)
const kinds = soak > 0 ? [false, true] : [false]

describe.skipIf(!hasDovecot).each(kinds)(
  'a mailbox among kills, without CONDSTORE: %s',
  (withoutCondstore) => {
    it('loses no mail, answers none twice and none that a person had answered', async () => {
      const tell = soak > 0 ? (words: string) => console.log(words) : undefined
      const mails = soak || 25
      const seen = await livingMailbox({ mails, kills: soak > 0 ? mails / 5 : 6, withoutCondstore, tell })
      expect(seen).toEqual({ lost: [], twice: [], answeredAfterPerson: [], doubled: [] })
    }, 3_600_000)
  },
)
