/** Outcome for one recipient in one attempt. */
export interface RecipientOutcome {
  recipient: string
  /** `deferred` is tried again, `bounced` never. */
  outcome: 'sent' | 'deferred' | 'bounced'
  /** SMTP reply code; null if there was no reply. */
  code: number | null
  /** Enhanced status code (RFC 3463). */
  enhanced: string | null
  /** Text of the remote, or of the failure: printable, one line, at most 500 characters. */
  detail: string
  /** Host of the session. */
  remote: string | null
  /** Stage that was reached; `recipient` is the answer to RCPT, which is not about the content. */
  stage?: Stage | undefined
  /** Minimum time in ms before the next try. */
  retryAfterMs?: number | undefined
  /** The remote accepts this recipient, but only with fewer others at once (RFC 5321 section 4.5.3.1.10). */
  isOverLimit?: boolean | undefined
}

/** Routing, connecting up to the greeting and TLS, MAIL, RCPT, and DATA. */
export type Stage = 'route' | 'connect' | 'mail' | 'recipient' | 'content'

/** An outcome without its recipient. */
export type Verdict = Omit<RecipientOutcome, 'recipient'>

/** An error of the SMTP client. */
export interface SmtpError extends Error {
  /** Kind of failure: `EENVELOPE`, `ETLS`, `ETIMEDOUT` ... */
  code?: string
  /** Reply that caused it. */
  response?: string
  /** The answered or pending command; `CONN` for the connection, `API` for our own mistake. */
  command?: string
}

const maxResponse = 500
const reply = /^(?<code>[2-5]\d\d)(?:[ -](?<enhanced>[245]\.\d{1,3}\.\d{1,3})(?!\S))?/
// Control and formatting characters, which could falsify a log or a console.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu
const continued = /^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3} )?/

/** Returns the text as one printable line of at most 500 characters. */
export function printable(text: string): string {
  const lines = text.slice(0, 4 * maxResponse).split(/\r?\n/)
  const joined = lines.map((line, index) => (index ? line.replace(continued, '') : line)).join(' ')
  return joined
    .replace(unprintable, ' ')
    .trim()
    .slice(0, maxResponse)
    .replace(/[\ud800-\udbff]$/, '')
}

const outcomeOf = (code: number): Verdict['outcome'] => {
  if (code >= 500) return 'bounced'
  return code >= 200 && code < 300 ? 'sent' : 'deferred'
}

/** Reads a reply (RFC 5321 section 4.2.1): 2yz is sent, 5yz bounced, all else deferred. */
export function classifyReply(text: string, remote: string | null): Verdict {
  const { code, enhanced = null } = reply.exec(text)?.groups ?? {}
  const matching = enhanced !== null && enhanced[0] === code?.[0] ? enhanced : null
  return {
    outcome: code ? outcomeOf(Number(code)) : 'deferred',
    code: code ? Number(code) : null,
    enhanced: matching,
    detail: printable(text),
    remote,
  }
}

const tooManyRecipients = /too many (?:recipients|rcpts?\b|forward paths)/i

/**
 * Returns whether a reply to RCPT refuses more recipients in this transaction. Some servers use a permanent
 * code for that, which clients treat as temporary (RFC 5321 section 4.5.3.1.10).
 */
const isOverLimit = ({ code, enhanced, detail }: Verdict): boolean =>
  (enhanced?.endsWith('.5.3') ?? false) ||
  (code !== null &&
    code >= 400 &&
    (enhanced === null || /\.[05]\.0$/.test(enhanced)) &&
    tooManyRecipients.test(detail))

const statusOfFailure: Record<string, string> = {
  EDNS: '4.4.3',
  ETIMEDOUT: '4.4.1',
  ESOCKET: '4.4.1',
  ECONNECTION: '4.4.2',
  ETLS: '4.7.5',
  EAUTH: '4.7.8',
}

/**
 * Checks that a reply is about the message: those to the connection, the greeting or the login are about the
 * two hosts.
 */
const isAboutMail = (command: string | undefined): boolean =>
  command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA'

/**
 * Classifies an error. Only a 5yz reply to the message itself, or a message that cannot be sent at all,
 * bounces. Network, TLS, login and protocol failures are deferred, since they may pass before the next
 * attempt.
 */
export function classifyError(error: SmtpError, remote: string | null): Verdict {
  const { code = '', command, message } = error
  if (error.response && code !== 'ETLS') {
    const verdict = classifyReply(error.response, remote)
    if (command === 'RCPT TO' && isOverLimit(verdict))
      return { ...verdict, outcome: 'deferred', isOverLimit: true }
    if (isAboutMail(command) && verdict.outcome !== 'sent') return verdict
    return { ...verdict, outcome: 'deferred' }
  }
  if (code === 'EMESSAGE') return bounce(552, '5.3.4', message, remote)
  if (code === 'EENVELOPE') return bounce(553, '5.1.3', message, remote)
  return defer(statusOfFailure[code] ?? '4.4.0', message, remote)
}

/** Returns a verdict of our own: try again later. */
export const defer = (enhanced: string, text: string, remote: string | null = null): Verdict => ({
  outcome: 'deferred',
  code: null,
  enhanced,
  detail: printable(text),
  remote,
})

const stages: Record<string, Stage> = { 'MAIL FROM': 'mail', 'RCPT TO': 'recipient', DATA: 'content' }

/** Returns the stage of a message at which an error occurred. */
export const stageOf = ({ command = '' }: SmtpError): Stage => stages[command] ?? 'mail'

/** Returns a verdict of our own, with the reply that a server would have given. */
export const bounce = (
  code: number,
  enhanced: string,
  text: string,
  remote: string | null = null,
): Verdict => ({
  outcome: 'bounced',
  code,
  enhanced,
  detail: printable(text),
  remote,
})
