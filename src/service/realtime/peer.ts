/** One end of a socket as the gateway sees it, whatever carries it. */
export interface Peer {
  /** Bytes that were sent and not yet taken by the network. */
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  /** Resolves once what was sent has gone out, or the socket is closed. */
  drained(): Promise<void>
  onmessage: (text: string) => void
  onclose: () => void
}
