import { TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'

/**
 * Decodes by the tables of the Encoding Standard. Node's own decoder uses those of ICU. On Node 20 it turns €
 * and curly quotes (windows-1252) into control characters. Everywhere it misses half of the Korean and a
 * quarter of the Chinese characters (big5).
 */
export const TextDecoder: typeof globalThis.TextDecoder = StandardDecoder
