import type { Settings } from './settings'
import type { SmtpReceiverOptions } from './smtp/receiver'

/** What the settings say of the limits at the SMTP door. */
export const smtpLimitsOf = (
  settings: Settings,
): Pick<SmtpReceiverOptions, 'maxConnections' | 'rates' | 'proxies'> => ({
  maxConnections: settings.smtpConnections,
  proxies: settings.smtpProxies?.split(',').map((one) => one.trim()),
  rates: {
    connectionsPerAddress: settings.smtpConnectionsEach,
    connectionsPerMinute: settings.smtpConnectsPerMinute,
    mailsPerMinute: settings.smtpMailsPerMinute,
    errorsPerMinute: settings.smtpErrorsPerMinute,
    exempt: settings.unlimited,
  },
})
