import type { Mailbox } from 'restante'

/** Answers every mail of a person with its own words, until the mailbox is closed. */
export default function agent(mailbox: Mailbox): Promise<void> {
  const run = mailbox.run(
    async (message) => {
      if (message.automatic) return // newsletters and notices
      await message.reply({ text: `You wrote:\n\n${message.text}` })
    },
    { consumer: 'echo-agent' },
  )
  return run.done
}
