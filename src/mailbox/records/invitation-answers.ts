import { checkOptions, type OptionNames } from '../../protocol/options'
import type { InvitationAnswer } from '../../protocol/records/invitation'
import type { wireTime } from '../base/wire-time'
import type { ReadOptions } from '../cache/reader'
import type { Answered, settleRefused } from './answers'
import type { SentMessage, sentMessage } from './outgoing'

/** Options of an answer to an invitation. */
export interface InvitationAnswerOptions extends ReadOptions {
  /** Words for the organizer, at most 4,000 characters. */
  comment?: string | undefined
  /** In a thread that people hold, refuses or makes a draft: see `reply()`. Default `refuse`. */
  whenHeld?: 'refuse' | 'draft' | undefined
  /** Creates a draft that waits for a person, and sends nothing. Default false. */
  asDraft?: boolean | undefined
}

/** Options of a proposal of another time. */
export interface InvitationProposalOptions extends InvitationAnswerOptions {
  /** A Date, or a time with its zone. */
  start: Date | string
  end: Date | string
}

const names: OptionNames<InvitationAnswerOptions> = {
  ...{ comment: true, whenHeld: true, asDraft: 'boolean', signal: true },
}
const proposalNames: OptionNames<InvitationProposalOptions> = { ...names, start: true, end: true }

const calls = { accepted: 'accept()', declined: 'decline()', tentative: 'tentative()', proposed: 'propose()' }

/** Functions that the caller has loaded: a copy of each here would be a file more for browsers. */
interface Loaded {
  wireTime: typeof wireTime
  sentMessage: typeof sentMessage
  settleRefused: typeof settleRefused
}

/**
 * Answers the invitation in a message: see `Invitation`.
 *
 * @throws UsageError `invalid_options`
 */
export async function answerInvitation(
  { client, id, turn }: Answered,
  answer: InvitationAnswer['answer'],
  options: InvitationAnswerOptions | InvitationProposalOptions,
  { wireTime, sentMessage, settleRefused }: Loaded,
): Promise<SentMessage> {
  const input = { id, ...answerInput(answer, options, wireTime), consumer: turn?.consumer }
  try {
    return sentMessage(await client.messages.answerInvitation(input, { signal: options.signal }))
  } catch (error) {
    await settleRefused(turn?.leaseOf(id) ?? null, error)
    throw error
  }
}

/** Converts an answer to an invitation for the wire. */
function answerInput(
  answer: InvitationAnswer['answer'],
  options: InvitationAnswerOptions | InvitationProposalOptions,
  toWire: typeof wireTime,
): InvitationAnswer {
  const { comment, whenHeld: when_held, asDraft: as_draft } = options
  const input = { answer, comment, when_held, as_draft }
  if (answer === 'proposed') {
    checkOptions(calls[answer], options as InvitationProposalOptions, proposalNames)
    const { start, end } = options as InvitationProposalOptions
    return { ...input, start: toWire('start', start), end: toWire('end', end) }
  }
  checkOptions<InvitationAnswerOptions>(calls[answer], options, names)
  return input
}
