const decoder = new TextDecoder()

/** Gives the text of a mail whose body is its text, from the offset of the body: as it stands, but for line ends. */
export const verbatimText = (raw: Uint8Array, bodyStart = 0): string =>
  decoder.decode(raw.subarray(bodyStart)).replaceAll('\r\n', '\n')

/** Tells whether the body of a mail is its text. */
export const isVerbatim = (raw: Uint8Array, bodyStart: number, text: string): boolean => {
  const bytes = raw.length - bodyStart
  return (
    text !== '' && bytes >= text.length && bytes <= 4 * text.length && verbatimText(raw, bodyStart) === text
  )
}
