import type { OutgoingMail, Transport } from 'restante/service'
import { createCaptureTransport } from '../../src/service/outbound/delivery/transport'

/** A way out that leads nowhere, and notes by recipient where a bounce of the last mail to it comes to. */
export function createNotingTransport(): { transport: Transport; returnPaths: Map<string, string> } {
  const returnPaths = new Map<string, string>()
  const captured = createCaptureTransport()
  const send = (mail: OutgoingMail) => {
    for (const recipient of mail.recipients) returnPaths.set(recipient, mail.mailFrom)
    return captured.send(mail)
  }
  return { transport: { ...captured, send }, returnPaths }
}
