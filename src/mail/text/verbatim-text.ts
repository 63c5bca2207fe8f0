const decoder = new TextDecoder()

/** Returns the raw body of a message from an offset, for a body that is its text; only line ends change. */
export const verbatimText = (raw: Uint8Array, bodyStart = 0): string =>
  decoder.decode(raw.subarray(bodyStart)).replaceAll('\r\n', '\n')
