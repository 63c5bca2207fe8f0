/** Words in the pieces in which a model that streams says them. */
export const wordsOf = (text: string): string[] => text.match(/\S+\s*/g) ?? []

/** A call that writes to somebody. */
export const mailTo = (who: string) => ({
  tool: 'send_mail',
  input: { to: [who], subject: 'Hi', text: 'Hello' },
})

/** What a model does that reads a mail and answers it, then tries it again, and with a copy to somebody. */
export const readAndReply = (handle: string) => [
  { tool: 'read_thread', input: { thread: handle } },
  { tool: 'reply', input: { message: handle, text: 'Yes.' } },
  { tool: 'reply', input: { message: handle, text: 'Yes, it is.' } },
  { tool: 'reply', input: { message: handle, text: 'Yes!', bcc_to: 'eve@other.example' } },
  'It is answered.',
]
