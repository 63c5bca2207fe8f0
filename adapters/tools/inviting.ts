import {
  type Invitation,
  type Message,
  type SentMessage,
  UsageError,
  untrustedField,
  untrustedText,
} from 'restante'
import * as z from 'zod'
import { defineTool } from './define'
import { readTime, toolInput, words } from './input'
import { type ProposedMail, proposeReply } from './proposal'
import { mailOutput, messageRef, sentOutput } from './schemas'
import { replyTargets, sent } from './sending'
import type { ToolSession } from './tool-session'

/** @throws UsageError `no_invitation` */
function invitationOf(message: Message): Invitation {
  if (message.invitation) return message.invitation
  throw new UsageError('no_invitation', `${message.handle} brings no invitation: answer it with reply`)
}

/** Returns the recipients of the answer: a proven organizer, else those of a reply. */
function answerTargets(message: Message): string[] {
  const { organizer, organizer_proven } = invitationOf(message)
  return organizer && organizer_proven ? [organizer.address] : replyTargets(message, false)
}

const flowOf = async (session: ToolSession, ref: string) => {
  const message = await session.message(ref)
  return { to: answerTargets(message), material: [message] }
}

/** Proposes the answer as its approver sees it. */
async function proposeAnswer(
  session: ToolSession,
  ref: string,
  verb: string,
  comment: string | undefined,
): Promise<ProposedMail> {
  const message = await session.message(ref)
  const { title } = invitationOf(message)
  const to = answerTargets(message)
  const subject = `${verb}: ${title}`.trim()
  return {
    ...(await proposeReply(session, ref, { to, subject, text: comment ?? '' })),
    attachments: ['invite.ics'],
  }
}

/** Fields of an invitation that a model is shown. */
const shownFields = [
  ...['method', 'title', 'start', 'end', 'time_zone', 'local_start', 'all_day', 'recurrence', 'organizer'],
  ...[
    'organizer_proven',
    'attendees',
    'location',
    'meeting_link',
    'answer',
    'cancelled',
    'pending',
    'changes',
  ],
  ...['comment', 'description'],
] as const satisfies readonly (keyof Invitation)[]

/** Writes an invitation as rows, a field each. */
const rowsOf = (invitation: Invitation): string[] =>
  shownFields.flatMap((name) => {
    const value: unknown = invitation[name]
    if (value === null || value === '') return []
    return `${name}: ${untrustedField(typeof value === 'string' ? value : JSON.stringify(value), 4_096)}`
  })

const comment = words(4_000, 1).optional().describe('Words for the organizer')
const answers = { accepted: 'accept', declined: 'decline', tentative: 'tentative' } as const
const verbs = { accepted: 'Accepted', declined: 'Declined', tentative: 'Tentative' } as const

const readInvitation = defineTool({
  name: 'read_invitation',
  description: 'Reads the calendar invitation in a message: times, organizer, changes.',
  risk: 'read',
  input: toolInput({ message: messageRef }),
  output: mailOutput,
  run: async (_mailbox, { message }, { session, signal }) => {
    const found = await session.readable(message, signal)
    const introduction = `Invitation in message ${found.handle}.`
    const { text } = untrustedText(rowsOf(invitationOf(found)), {
      introduction,
      maxTokens: session.maxTokens,
    })
    return { status: 'ok' as const, mail: text }
  },
})

const answerInvitation = defineTool({
  name: 'answer_invitation',
  description: 'Answers the invitation in a message, as a calendar does. It is no reply in words.',
  risk: 'send',
  input: toolInput({ message: messageRef, answer: z.enum(['accepted', 'declined', 'tentative']), comment }),
  output: sentOutput,
  flow: (session, { message }) => flowOf(session, message),
  propose: (session, { message, answer, comment }) => proposeAnswer(session, message, verbs[answer], comment),
  run: async (_mailbox, input, { session, signal, held }): Promise<z.output<typeof sentOutput>> => {
    const message = await session.message(input.message, signal)
    const options = { comment: input.comment, asDraft: held, signal }
    const answer: SentMessage = await invitationOf(message)[answers[input.answer]](options)
    return sent(session, answer)
  },
})

const proposeTime = defineTool({
  name: 'propose_time',
  description: 'Proposes another time for the event of an invitation to its organizer.',
  risk: 'send',
  input: toolInput({
    message: messageRef,
    start: words(40).describe('2026-01-31T09:00:00Z'),
    end: words(40),
    comment,
  }),
  output: sentOutput,
  flow: (session, { message }) => flowOf(session, message),
  propose: async (session, { message, start, end, comment }) => {
    const times = `${readTime(start, 'start').toISOString()} to ${readTime(end, 'end').toISOString()}`
    const mail = await proposeAnswer(session, message, 'New time proposed', comment)
    return { ...mail, text: [`Proposed time: ${times}`, comment].filter(Boolean).join('\n\n') }
  },
  run: async (_mailbox, input, { session, signal, held }) => {
    const message = await session.message(input.message, signal)
    const [start, end] = [readTime(input.start, 'start'), readTime(input.end, 'end')]
    const options = { start, end, comment: input.comment, asDraft: held, signal }
    return sent(session, await invitationOf(message).propose(options))
  },
})

/** Tools for calendar invitations. */
export const invitingTools = {
  read_invitation: readInvitation,
  answer_invitation: answerInvitation,
  propose_time: proposeTime,
}
