/**
 * Reads a file of this machine: all of it, or `maxBytes` and one more where it is larger.
 *
 * @throws UsageError `no_files` on a platform that has none; what the platform throws
 */
export type ReadFile = (path: string | URL, maxBytes: number) => Promise<Uint8Array>
