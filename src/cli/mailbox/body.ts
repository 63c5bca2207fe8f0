/** `--markdown`, for commands that write mail from an inbox. */
export const markdownOption = [
  '--markdown',
  'what is written is Markdown, sent as HTML and as plain text',
] as const

/** Gives the body that was written as the fields that the service takes. */
export const bodyOf = (written: string, { markdown = false }: { markdown?: boolean }) =>
  markdown ? { markdown: written } : { text: written }
