const decoder = new TextDecoder()

/** The text of a mail whose body is its text, from where the body begins: as it stands, but for line ends. */
export const verbatimText = (raw: Uint8Array, bodyStart = 0): string =>
  decoder.decode(raw.subarray(bodyStart)).replaceAll('\r\n', '\n')

/** Whether the body of a mail is its text. */
export const isVerbatim = (raw: Uint8Array, bodyStart: number, text: string): boolean => {
  const bytes = raw.length - bodyStart
  return (
    text !== '' && bytes >= text.length && bytes <= 4 * text.length && verbatimText(raw, bodyStart) === text
  )
}
