import type { Mailbox } from 'restante'

/** Answers every mail from a person with its own words. */
export default async function agent(mailbox: Mailbox): Promise<void> {
  for await (const message of mailbox.incoming({ consumer: 'echo-agent' })) {
    if (message.record.auto_submitted !== 'no') continue // never answer a machine: it might answer back
    await message.reply({ text: `You wrote:\n\n${message.text}` })
  }
}
