/** `--markdown`, for commands that write from an inbox. */
export const markdownOption = ['--markdown', 'the text is Markdown, sent as HTML and as plain text'] as const

/** Returns the body as the fields that the service expects. */
export const bodyOf = (written: string, { markdown = false }: { markdown?: boolean }) =>
  markdown ? { markdown: written } : { text: written }
