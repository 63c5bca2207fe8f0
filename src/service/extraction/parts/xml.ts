import { type SaxesAttributePlain, SaxesParser } from 'saxes'

/** Attributes of an element, by their full name and by their name without prefix. */
export type XmlAttributes = Readonly<Record<string, string | undefined>>

/** Reactions to the elements of a document. Names have no prefix. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void
  close?(name: string): void
  text?(text: string): void
  /** Ends the reading once it returns true. */
  isDone?(): boolean
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function attributesOf(given: Record<string, string | SaxesAttributePlain>): XmlAttributes {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    found[name] = String(value)
    found[localName(name)] ??= String(value)
  }
  return found
}

/** Charset of a document by its first bytes; other charsets are rare in archives. */
const charsetOf = (bytes: Uint8Array): string =>
  bytes[0] === 0xff && bytes[1] === 0xfe
    ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'utf-16be'
      : 'utf-8'

/**
 * Reads a document piece by piece. No entity is declared or fetched: only those of XML itself are known.
 * Errors in the document are skipped.
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  const parser = new SaxesParser()
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => handler.open?.(localName(name), attributesOf(attributes)))
  parser.on('closetag', ({ name }) => handler.close?.(localName(name)))
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(charsetOf(chunk))
    parser.write(decoder.decode(chunk, { stream: true }))
    if (handler.isDone?.()) return
  }
  parser.close()
}
