import type { RecipientOutcome } from './outcome'

/** An outgoing message, signed and complete. */
export interface OutgoingMail {
  /** Empty for bounces. */
  mailFrom: string
  recipients: string[]
  raw: Uint8Array
  /** True if the headers have UTF-8, which only a remote with SMTPUTF8 accepts (RFC 6531). */
  smtpUtf8Needed?: boolean | undefined
  /** Connected mailbox whose server sends it, instead of the service's transport. */
  connection?: { tenantId: string; id: string } | undefined
}

/** Stores final outcomes of a message that is still being sent. */
export type Settle = (outcomes: readonly RecipientOutcome[]) => Promise<void>

/** A way to send messages out of the service. */
export interface Transport {
  /** Returns the site of a domain; domains of the same site share one limit. */
  siteOf(domain: string): string
  /**
   * Makes one attempt and returns each recipient's outcome, in the given order; failures are outcomes.
   * Rejects only if `settle` does, or when aborted. An abort kills the connection: then the remote may have
   * accepted the message.
   *
   * @param settle Awaited with the accepted recipients before another host is tried with the rest: otherwise
   * a crash would send to them twice.
   */
  send(mail: OutgoingMail, signal?: AbortSignal, settle?: Settle): Promise<RecipientOutcome[]>
  /** Ends idle connections; those in use end with their message. */
  close(): Promise<void>
}

/** Times in ms that a remote may take. */
export interface TransportTimeouts {
  /** Until the connection is open; 30 s. */
  connectMs?: number
  /** Until the greeting, and for a TLS handshake; 30 s. */
  greetingMs?: number
  /** Silence during a message; 10 min (RFC 5321 section 4.5.3.2.6). */
  dataMs?: number
}

/** Creates a transport for development that sends nothing: every message counts as sent. */
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
