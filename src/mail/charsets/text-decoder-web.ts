/** The platform's decoder, which follows the standard. */
export const { TextDecoder } = globalThis
