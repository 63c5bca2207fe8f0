/** The decoder of the platform, which is the standard's. */
export const { TextDecoder } = globalThis
