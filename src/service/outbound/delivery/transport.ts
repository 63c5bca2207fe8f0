import type { RecipientOutcome } from './outcome'

/** A mail on its way out, signed and complete. */
export interface OutgoingMail {
  /** Empty for bounces. */
  mailFrom: string
  recipients: string[]
  raw: Uint8Array
  /** True where the headers have UTF-8 in them, which only a remote with SMTPUTF8 takes (RFC 6531). */
  smtpUtf8Needed?: boolean | undefined
  /** The connected mailbox whose server takes it, where it is not for the transport of the service. */
  connection?: { tenantId: string; id: string } | undefined
}

/** Writes down what is certain of a mail that is still under way. */
export type Settle = (outcomes: readonly RecipientOutcome[]) => Promise<void>

/** A way out of the service. */
export interface Transport {
  /** Names the site that mail for a domain goes to; domains of the same site share one limit. */
  siteOf(domain: string): string
  /**
   * Makes one attempt and tells what became of each recipient, in the order given; failures are outcomes. Rejects
   * only when aborted, which kills the connection: then nobody knows what the remote took; and where `settle` does.
   *
   * @param settle Is told who has got the mail before another host is tried with the rest, and waited for: else a crash
   * would send it to them twice.
   */
  send(mail: OutgoingMail, signal?: AbortSignal, settle?: Settle): Promise<RecipientOutcome[]>
  /** Ends idle connections; those in use end with their mail. */
  close(): Promise<void>
}

/** The time that a remote may take. */
export interface TransportTimeouts {
  /** Until the connection stands; 30 s. */
  connectMs?: number
  /** Until the greeting is there, and for a TLS handshake; 30 s. */
  greetingMs?: number
  /** Without a sign of life in the middle of a mail; 10 min (RFC 5321 section 4.5.3.2.6). */
  dataMs?: number
}

/** The way out that leads nowhere, for development: every mail counts as sent, and stays here. */
export const createCaptureTransport = (): Transport => ({
  siteOf: () => 'capture',
  send: async ({ recipients }) =>
    recipients.map((recipient) => ({
      recipient,
      outcome: 'sent',
      code: null,
      enhanced: null,
      detail: 'captured: nothing left this machine',
      remote: null,
    })),
  close: async () => {},
})
