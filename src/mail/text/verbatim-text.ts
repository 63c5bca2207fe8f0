const decoder = new TextDecoder()

/** Gives the text of a message whose body is its text, from the offset of the body: as it stands, but for line ends. */
export const verbatimText = (raw: Uint8Array, bodyStart = 0): string =>
  decoder.decode(raw.subarray(bodyStart)).replaceAll('\r\n', '\n')
