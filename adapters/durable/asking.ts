import {
  checkOptions,
  type Mailbox,
  type Message,
  type OptionNames,
  provenView,
  type Run,
  type RunOptions,
  type SendResult,
  UsageError,
} from 'restante'

/** Message that asks for an answer. */
export interface Question {
  /** Name of the message within its workflow. Under one key it is sent once, even if its text differs. */
  key: string
  /** Addresses, with or without a name. Not for a reply. */
  to?: string | readonly string[] | undefined
  cc?: readonly string[] | undefined
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
  /** Id or address of the inbox that sends. Optional if the mailbox has exactly one. */
  inbox?: string | undefined
  /** Id of the message to reply to, in its thread. */
  inReplyTo?: string | undefined
}

/** Message that asks for an answer, with a timeout. */
type TimedQuestion = Question & { timeoutMs?: number | undefined }

const questionNames: OptionNames<Question> = {
  key: 'string',
  to: true,
  cc: true,
  subject: 'string',
  text: 'string',
  html: 'string',
  inbox: 'string',
  inReplyTo: 'string',
}
const timedNames: OptionNames<TimedQuestion> = { ...questionNames, timeoutMs: 'number' }

/** @throws UsageError `invalid_options` */
export const checkAsk = (question: TimedQuestion): void => checkOptions('askByMail()', question, timedNames)

/** @throws UsageError `invalid_options` */
export const checkQuestion = (question: Question): void =>
  checkOptions('sendQuestion()', question, questionNames)

/** Answer as a workflow stores it. */
export interface MailAnswer {
  readonly id: string
  readonly threadId: string
  /** Sender's address. Anybody can write any address here: see `verified`. */
  readonly from: string
  /** True if it is proven that the domain of `from` sent it. */
  readonly verified: boolean
  readonly subject: string
  /** New text of the sender, without quotes. Untrusted: give a model `prompt` instead. */
  readonly text: string
  /** The message for a model: the sender's text is between marks that it cannot contain. */
  readonly prompt: string
  readonly receivedAt: string
}

/** Options for receiving answers. */
export interface AnswersOptions extends Pick<RunOptions, 'concurrency' | 'onError' | 'signal' | 'inbox'> {
  /** Name of the consumer, which the service remembers. Default `answers`. */
  consumer?: string | undefined
  /** Whether to include automatic messages, such as an out-of-office reply or a bounce. Default false. */
  automatic?: boolean | undefined
}

export const answersNames: OptionNames<AnswersOptions> = {
  consumer: 'string',
  automatic: 'boolean',
  concurrency: 'number',
  onError: 'function',
  signal: true,
  inbox: 'string',
}

/** Header with the token of the waiting workflow: stored with the message, it survives crashes. */
const header = 'X-Waiter'
const tokenShape = /^[\w.:%/=+-]{1,500}$/
/** Maximum number of sent messages of a conversation that are checked for the header, newest first. */
const maxLookedAt = 20

/** Sends a message once, also if it is called again. */
export async function sendOnce(
  mailbox: Mailbox,
  scope: string,
  token: string,
  { key, to, cc, subject, text, html, inbox, inReplyTo }: Question,
): Promise<SendResult> {
  if (!tokenShape.test(token))
    throw new UsageError(
      'invalid_token',
      `${token} has characters that a header cannot: name the workflow otherwise`,
    )
  const headers = { [header]: token }
  const identity = { client_id: `ask:${scope}:${key}`, replay: 'first_wins' as const }
  const mail = { cc: cc && [...cc], text, html, headers, ...identity }
  const sent = inReplyTo
    ? await mailbox.client.messages.reply({ id: inReplyTo, ...mail })
    : await mailbox.client.messages.send({
        to: [to ?? []].flat(),
        subject,
        inbox_id: inboxOf(mailbox, inbox),
        ...mail,
      })
  return sent as SendResult
}

const inboxOf = ({ inboxes }: Mailbox, wanted: string | undefined): string => {
  const found =
    wanted === undefined ? inboxes : inboxes.filter(({ id, address }) => id === wanted || address === wanted)
  if (found.length === 1) return found[0]!.id
  throw new UsageError('several_inboxes', 'say which inbox sends: give the question an inbox of this mailbox')
}

/** Returns the token of the newest message before this one in the conversation that waits for an answer. */
async function tokenFor({ client }: Mailbox, message: Message): Promise<string | null> {
  const { messages } = await message.thread()
  const before = messages.slice(
    0,
    messages.findIndex(({ id }) => id === message.id),
  )
  const sent = before.filter(({ direction }) => direction === 'outbound').slice(-maxLookedAt)
  for (const { id } of sent.reverse()) {
    const { headers } = await client.messages.get({ id })
    const found = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase())
    if (found) return found.value.trim()
  }
  return null
}

const answerOf = async (message: Message): Promise<MailAnswer> => ({
  id: message.id,
  threadId: message.threadId,
  from: message.from.address,
  verified: message.verified,
  subject: message.subject,
  text: message.text,
  prompt: await message.toPrompt(),
  receivedAt: message.receivedAt.toISOString(),
})

/** Returns whether a message refers to another one; a replay does only by fields that its sender signed. */
const refersToAnother = ({ record }: Message): boolean => {
  const { in_reply_to, references } = record.authentication?.replayed ? provenView(record) : record
  return in_reply_to !== null || references.length > 0
}

/** Passes on each answer to a waiting message at least once: it is delivered again until `take` resolves. */
export const runAnswers = (
  mailbox: Mailbox,
  take: (token: string, answer: MailAnswer) => Promise<void>,
  options: AnswersOptions,
): Run => {
  checkOptions('resumeByMail()', options, answersNames)
  const { consumer = 'answers', automatic = false, ...rest } = options
  return mailbox.run(
    async (message) => {
      if ((message.record.auto_submitted !== 'no' && !automatic) || !refersToAnother(message)) return
      const token = await tokenFor(mailbox, message)
      if (token !== null) await take(token, await answerOf(message))
    },
    { ...rest, consumer },
  )
}
