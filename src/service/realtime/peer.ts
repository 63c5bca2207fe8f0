import { type CloseReason, closeCodes, type ServerFrame } from '../../protocol/frames'

/** The gateway's end of a socket, independent of the transport. */
export interface Peer {
  /** Bytes that were sent and not yet passed to the network. */
  readonly bufferedAmount: number
  send(text: string): void
  /** Closes the socket; one that does not read is cut off a moment later. */
  close(code: number, reason: string): void
  onmessage: (text: string) => void
  /** Called on a ping of the transport itself, which answers it. */
  onping: () => void
  /** Called whenever sent data has gone out. */
  ondrain: () => void
  onclose: () => void
}

/** Sends the reason and the position to resume from, and closes the socket. */
export function sayGoodbye(peer: Peer, reason: CloseReason, message: string, after?: number): void {
  const { code, reconnect } = closeCodes[reason]
  const bye: ServerFrame = { type: 'bye', reason, reconnect, message, ...(after !== undefined && { after }) }
  peer.send(JSON.stringify(bye))
  peer.close(code, reason)
}
