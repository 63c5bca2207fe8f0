import type { SmtpError } from '../../service/outbound/delivery/outcome'
import { tryRelay } from '../../service/outbound/delivery/transport-relay'
import type { Settings } from '../../service/settings'
import type { Finding } from './fitness'

const maxReplyLength = 200
/** Timeout for the connection and for each answer of the smarthost. */
const waitMs = 10_000

const remedyOf = ({ code, message }: SmtpError): string => {
  if (code === 'EAUTH') return 'Check the user and the password in RESTANTE_DELIVERY.'
  if (code === 'ETLS' || /certificate/i.test(message))
    return 'Check the name of the host in RESTANTE_DELIVERY. For an authority of your own, name its PEM file in RESTANTE_DELIVERY_CA.'
  return 'Check the host and the port in RESTANTE_DELIVERY, and whether a firewall lets this machine connect.'
}

const reasonOf = ({ response, message }: SmtpError): string =>
  (response ?? message).replace(/\s+/g, ' ').slice(0, maxReplyLength)

/** Connects to the smarthost and logs in as a delivery does; sends nothing. */
export async function judgeSmarthost(settings: Settings): Promise<Finding | null> {
  const { delivery, deliveryCa, domain } = settings
  if (delivery === 'capture' || delivery === 'direct') return null
  const timeouts = { connectMs: waitMs, greetingMs: waitMs, dataMs: waitMs }
  const failure = await tryRelay({ url: delivery, hostname: domain, caFile: deliveryCa, ...timeouts })
  if (failure === null) return null
  const { host } = new URL(delivery)
  return {
    check: 'smarthost',
    problem: `The service cannot send through the smarthost ${host}: ${reasonOf(failure)}.`,
    remedy: remedyOf(failure),
  }
}
