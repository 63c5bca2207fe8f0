import { Mailbox } from '../../../src/mailbox/mailbox'
import type { MailboxSettings } from '../../../src/mailbox/settings'
import { FakeClock } from './fake-clock'
import { FakeService } from './fake-service'

/** A mailbox on a fake service, with a fake clock. */
export const openFake = async (settings: MailboxSettings = {}, service = new FakeService()) => {
  const clock = new FakeClock()
  service.clock = clock
  const mailbox = await Mailbox.open({ service, clock, ...settings })
  const seen: number[] = []
  mailbox.on('event', ({ seq }) => seen.push(seq))
  const statuses: string[] = []
  mailbox.on('state', ({ status }) => statuses.push(status))
  const errors: string[] = []
  mailbox.on('error', ({ code }) => errors.push(code))
  return { mailbox, service, clock, seen, statuses, errors }
}
