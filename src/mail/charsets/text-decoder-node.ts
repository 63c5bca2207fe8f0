import { TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'

/**
 * Decodes by the tables of the Encoding Standard. Node's own has those of ICU: on Node 20 it makes control characters of
 * € and curly quotes (windows-1252), and everywhere it misses half of the Korean and a quarter of the Chinese (big5).
 */
export const TextDecoder: typeof globalThis.TextDecoder = StandardDecoder
