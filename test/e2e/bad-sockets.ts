import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A text for a socket to write, and what the service must have said when it ended the connection. */
export interface BadConversation {
  what: string
  /** Pieces, each after the first answer to the one before. */
  write: readonly (string | Buffer)[]
  answer: RegExp
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Writes all of it, ends its side, and resolves with everything that was answered until the connection ended. */
export async function converse(port: number, pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = await open(port)
  let answer = ''
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    wake()
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('end', resolve).once('close', () => resolve())
  })
  for (const [index, piece] of pieces.entries()) {
    const answered = new Promise<void>((resolve) => {
      wake = resolve
    })
    socket.write(piece)
    if (index < pieces.length - 1) await Promise.race([answered, closed])
  }
  // Who says QUIT is sent away; everybody else leaves.
  if (!/QUIT\r\n$/.test(String(pieces.at(-1)).slice(-10))) socket.end()
  await closed
  socket.destroy()
  return answer
}

/** Writes the beginning of something, and then says nothing more. */
export async function hang(port: number, bytes: string | Buffer): Promise<Socket> {
  const socket = await open(port)
  socket.resume()
  socket.write(bytes)
  return socket
}

/** Bytes that mean nothing in any protocol here. */
export const rubbish = (): Buffer[] => [
  Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 131 + (i >> 3)) % 256)),
  Buffer.from('\0'.repeat(10_000)),
  Buffer.from('\r\n'.repeat(5_000)),
  // The first message of a TLS handshake.
  Buffer.from(`1603010200010001fc0303${'ab'.repeat(508)}`, 'hex'),
  Buffer.from('*1\r\n$4\r\nPING\r\n'),
  Buffer.from(`GET /${'x'.repeat(50_000)} HTTP/1.1\r\n\r\n`),
]
