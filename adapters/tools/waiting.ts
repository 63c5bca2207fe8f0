import { isRestanteError, type Mailbox, type Message, type WaitOptions } from 'restante'
import { defineTool } from './define'
import { toolInput, words } from './input'
import { messageRef, timeout, waitOutput } from './schemas'
import type { ToolSession } from './tool-session'

const lookBackMs = 10 * 60_000
const codeShape = /^[\p{L}\p{N}-]{3,20}$/u

/** Returns the message, or null if none arrived in time: a timeout is a normal result. */
export const inTime = (wait: Promise<Message>): Promise<Message | null> =>
  wait.catch((error) => {
    if (isRestanteError(error) && error.code === 'wait_timed_out') return null
    throw error
  })

/**
 * Returns the first reply. If the answer's recipients may not see it, the loop body must not consume it: else
 * it would count as handled, but nobody would have read it.
 */
const firstReply = async (
  { guard, options: { message: within } }: ToolSession,
  mailbox: Mailbox,
  id: string,
  options: WaitOptions,
): Promise<Message | null> => {
  if (guard.viewers.length === 0) return inTime(mailbox.nextReply({ id }, { ...options, within }))
  const came = await inTime(mailbox.nextReply({ id }, { ...options, within: null }))
  if (!came) return null
  await guard.requireSight(came, options.signal)
  return inTime(mailbox.nextReply({ id }, { ...options, within }))
}

const waitForReply = defineTool({
  name: 'wait_for_reply',
  description: 'Waits for the next mail of a person in the thread of a message.',
  risk: 'read',
  input: toolInput({ message: messageRef, timeout_seconds: timeout }),
  output: waitOutput,
  run: async (mailbox, { message, timeout_seconds }, { session, signal }) => {
    const { id } = await session.message(message, signal)
    const options = { timeoutMs: session.timeoutMs(timeout_seconds), signal }
    const came = await firstReply(session, mailbox, id, options)
    if (!came)
      return { status: 'timed_out' as const, note: 'Nobody answered yet: go on with something else.' }
    session.guard.show([came])
    return { status: 'ok' as const, mail: await came.toPrompt({ maxTokens: session.maxTokens, signal }) }
  },
})

const waitForCode = defineTool({
  name: 'wait_for_code',
  description: 'Waits for a mailed one-time code. Those of the last ten minutes count, each is given once.',
  risk: 'read',
  input: toolInput({
    from: words(320, 3).describe('Its sender, such as github.com'),
    timeout_seconds: timeout,
  }),
  output: waitOutput,
  run: async (mailbox, { from, timeout_seconds }, { session, signal }) => {
    const { guard, options } = session
    const timeoutMs = session.timeoutMs(timeout_seconds)
    // A hidden message must still be delivered to the loop.
    const within = guard.viewers.length > 0 ? null : options.message
    using wait = mailbox.expect({ from, kind: 'code', timeoutMs, signal, within })
    const after = new Date(Date.now() - lookBackMs)
    const { items } = await mailbox.messages.list({ from, direction: 'inbound', after, limit: 10, signal })
    const usable = items.filter(({ id, verified }) => verified && !session.usedCodes.has(id))
    let hidden: Message | undefined
    for (const message of usable) {
      const code = await codeOf(message)
      if (code === null) continue
      if ((await guard.sight([message], signal)).hidden === 0) return given(message, code)
      hidden ??= message
    }
    if (hidden) await guard.requireSight(hidden, signal)
    const came = await inTime(wait)
    const code = came && (await codeOf(came))
    if (came && code) return given(came, code)
    const note = `No code came whose sender is proven to be ${from}: ask for a new one, or tell the person who asked you.`
    return { status: 'timed_out' as const, note }

    async function given(message: Message, found: string) {
      await session.show(message, signal)
      session.usedCodes.add(message.id)
      return { status: 'ok' as const, code: found, message: message.handle }
    }
  },
})

/** A code is shown without fences, so it must look like one. */
const codeOf = async (message: Message): Promise<string | null> => {
  const [first] = await message.codes()
  return first && codeShape.test(first.code) ? first.code : null
}

export const waitingTools = { wait_for_reply: waitForReply, wait_for_code: waitForCode }
