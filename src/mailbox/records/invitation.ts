import type { InvitationAnswer, Invitation as InvitationRecord } from '../../protocol/records/invitation'
import { loadLater } from '../base/load-later'
import { wireTime } from '../base/wire-time'
import { type Answered, settleRefused } from './answers'
import type { InvitationAnswerOptions, InvitationProposalOptions } from './invitation-answers'
import { type SentMessage, sentMessage } from './outgoing'

// Few messages are invitations.
const loadAnswers = loadLater(() => import('./invitation-answers'))

/**
 * The invitation in a message, or its update, its cancellation, or an answer to it: the fields of the service
 * and its answers. All its texts come from outside.
 *
 * An answer goes out in the thread, in the form that calendars process. The same answer to the same version of
 * an event is sent once, also by several processes. Answers do not use up the one reply to the message.
 *
 * They reject with ServiceError `no_invitation` if the event was cancelled, or if nothing proves the change;
 * otherwise as `Message.reply`.
 *
 * @example
 * ```ts
 * for await (const { invitation } of mailbox.incoming())
 *   if (invitation?.method === 'REQUEST') await invitation.accept({ comment: 'See you there.' })
 * ```
 */
export interface Invitation extends InvitationRecord {
  /**
   * Accepts it.
   *
   * @example
   * ```ts
   * await message.invitation?.accept({ comment: 'See you there.' })
   * ```
   */
  accept(options?: InvitationAnswerOptions): Promise<SentMessage>
  /**
   * Declines it.
   *
   * @example
   * ```ts
   * await message.invitation?.decline()
   * ```
   */
  decline(options?: InvitationAnswerOptions): Promise<SentMessage>
  /**
   * Accepts it tentatively.
   *
   * @example
   * ```ts
   * await message.invitation?.tentative()
   * ```
   */
  tentative(options?: InvitationAnswerOptions): Promise<SentMessage>
  /**
   * Proposes another time to the organizer.
   *
   * @throws UsageError `invalid_options` for a time without a zone
   * @example
   * ```ts
   * const [start, end] = ['2026-07-08T14:00:00+02:00', '2026-07-08T14:30:00+02:00']
   * await message.invitation?.propose({ start, end })
   * ```
   */
  propose(options: InvitationProposalOptions): Promise<SentMessage>
}

/** Returns an invitation with its answers. */
export function answerable(answered: Answered, record: InvitationRecord): Invitation {
  const loaded = { wireTime, sentMessage, settleRefused }
  const send =
    (answer: InvitationAnswer['answer']) =>
    async (options: InvitationAnswerOptions = {}) =>
      (await loadAnswers()).answerInvitation(answered, answer, options, loaded)
  return {
    ...record,
    ...{ accept: send('accepted'), decline: send('declined') },
    ...{ tentative: send('tentative'), propose: send('proposed') },
  }
}
