import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { expect } from 'vitest'
import { type DevFacts, type Running, start } from '../../cli/support/cli'

/** Runs an example in a process of its own. */
export const runExample = (path: string, env: Record<string, string>): Running =>
  start(process.execPath, ['node_modules/jiti/lib/jiti-cli.mjs', path], { env })

/** Tells whether a server listens on a port. */
export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })

/** Reads the mails that the account of a service sent. */
export async function sentBy({ url, api_key }: DevFacts) {
  const answer = await fetch(`${url}/messages?direction=outbound`, {
    headers: { authorization: `Bearer ${api_key}` },
  })
  const { messages } = (await answer.json()) as { messages: { subject: string; rfc822_message_id: string }[] }
  return messages
}

/** Waits for the one mail that goes out, and answers it by SMTP as the boss. */
export async function answerAsBoss(facts: DevFacts, text: string): Promise<void> {
  await expect.poll(() => sentBy(facts).then(({ length }) => length)).toBe(1)
  const [mail] = await sentBy(facts)
  const { rfc822_message_id: inReplyTo } = mail!
  await createTransport(`smtp://${facts.smtp}?ignoreTLS=true`).sendMail({
    ...{ from: 'boss@example.com', to: facts.address, inReplyTo, references: inReplyTo },
    subject: `Re: ${mail!.subject}`,
    text,
  })
}
