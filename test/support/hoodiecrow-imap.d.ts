declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  interface Hoodiecrow {
    server: Server
    appendMessage(folder: string, flags: string[], internalDate: string | Date, raw: string): void
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
  }
  export default function hoodiecrow(options: object): Hoodiecrow
}
