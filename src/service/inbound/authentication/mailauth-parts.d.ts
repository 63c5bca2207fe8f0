// The package has its types in one file, which describes this part too vaguely.
declare module 'mailauth/lib/arc' {
  interface ChainField {
    /** Original field. */
    original: Buffer
    parsed: Record<string, { value: string } | undefined>
  }
  interface Seal extends ChainField {
    algorithm: string
    signAlgo: string
  }
  interface ChainLink {
    'arc-seal': Seal
    'arc-message-signature': ChainField
    messageSignature?: { status: { result: string } }
  }
  /** Reads a chain; false if there is none. Throws if it is malformed. */
  export function getARChain(headers: { parsed: { key: string; line: Buffer }[] }): ChainLink[] | false
  /** Verifies the seals of a chain. */
  export function arc(
    data: { chain: ChainLink[]; lastEntry: ChainLink },
    options: { resolver: (name: string) => Promise<string[][]> },
  ): Promise<{ status: { result: string } }>
}
