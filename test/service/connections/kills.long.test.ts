import { describe, expect, it } from 'vitest'
import { hasDovecot } from '../../support/dovecot'
import { seed } from '../../support/seed'
import { livingMailbox } from './support/living-mailbox'

/** `npm run soak:imap` asks for more. */
const soak = Number(process.env.RESTANTE_SOAK_IMAP ?? 0)
const runs = soak > 0 ? [0, 1] : [0]
const kinds = runs.flatMap((run) =>
  (soak > 0 ? [false, true] : [false]).map((withoutCondstore) => ({ run, withoutCondstore })),
)

describe.skipIf(!hasDovecot).each(kinds)(
  'a mailbox among kills, without CONDSTORE: $withoutCondstore ($run)',
  ({ run, withoutCondstore }) => {
    it('loses no mail, answers none twice and none that a person had answered', async () => {
      const tell = soak > 0 ? (words: string) => console.log(words) : undefined
      const mails = soak || 25
      const stirs = soak > 0 ? mails / 5 : 6
      const seen = await livingMailbox({ mails, stirs, seed: seed + run, withoutCondstore, tell })
      const none = { lost: [], twice: [], answeredAfterPerson: [], doubled: [] }
      expect(seen, `RESTANTE_TEST_SEED=${seed + run}`).toEqual(none)
    }, 3_600_000)
  },
)
