import { describe, expect, it } from 'vitest'
import { hasDovecot } from '../../support/dovecot'
import { livingMailbox } from './support/living-mailbox'

// `npm run soak:imap` does the same for longer, and with a server that has no CONDSTORE.
describe.skipIf(!hasDovecot)('a mailbox among kills', () => {
  it('loses no mail, answers none twice and none that a person had answered', async () => {
    const seen = await livingMailbox({ mails: 25, kills: 6 })
    expect(seen).toEqual({ lost: [], twice: [], answeredAfterPerson: [], doubled: [] })
  }, 120_000)
})
