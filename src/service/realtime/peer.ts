import { type CloseReason, closeCodes, type ServerFrame } from '../../protocol/frames'

/** One end of a socket as the gateway sees it, whatever carries it. */
export interface Peer {
  /** Bytes that were sent and not yet taken by the network. */
  readonly bufferedAmount: number
  send(text: string): void
  /** Ends the socket; one that does not read is cut off a moment later. */
  close(code: number, reason: string): void
  onmessage: (text: string) => void
  /** A ping of the carrier itself, which answers it. */
  onping: () => void
  /** Called whenever something that was sent has gone out. */
  ondrain: () => void
  onclose: () => void
}

/** Says why a socket ends and where its reader goes on, and ends it. */
export function sayGoodbye(peer: Peer, reason: CloseReason, message: string, after?: number): void {
  const { code, reconnect } = closeCodes[reason]
  const bye: ServerFrame = { type: 'bye', reason, reconnect, message, ...(after !== undefined && { after }) }
  peer.send(JSON.stringify(bye))
  peer.close(code, reason)
}
