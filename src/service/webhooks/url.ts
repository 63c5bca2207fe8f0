import { refuse } from '../base/refuse'
import { hostProblem } from '../net/networks'

/**
 * Returns the problem with a port. Below 1024, other services than the web listen: a request must not look
 * like one of theirs.
 */
const portProblem = ({ port, protocol }: URL): string | null =>
  port === '' || (protocol === 'https:' && Number(port) >= 1_024)
    ? null
    : `port ${port} is not for webhooks: use 443, or 1024 and up`

function problemOf(url: URL, allowPrivate: boolean): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it must begin with https://'
  if (url.username || url.password)
    return 'it must have no user name or password: check the signature instead'
  if (allowPrivate) return null
  if (url.protocol === 'http:') return 'it must begin with https://'
  return hostProblem(url) ?? portProblem(url)
}

/**
 * Returns why a webhook may not use a URL; null if it may. It checks only the URL itself: URL parsing has
 * normalized every notation of an IPv4 address (decimal, hexadecimal, octal, short). The addresses of a name
 * are checked on connecting.
 *
 * @param allowPrivate For development: private addresses and plain HTTP are allowed.
 */
export function webhookUrlProblem(text: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(text)) return 'it is not a URL such as https://agent.example.com/mail'
  return problemOf(new URL(text), allowPrivate)
}

/** Returns the URL to call. @throws ServiceError `invalid_request`, naming why */
export function checkWebhookUrl(text: string, allowPrivate: boolean): string {
  const problem = webhookUrlProblem(text, allowPrivate)
  if (problem !== null) {
    throw refuse('invalid_request', `The url cannot be used for a webhook: ${problem}.`, [
      { field: 'url', problem },
    ])
  }
  const url = new URL(text)
  url.hash = ''
  return url.href
}
