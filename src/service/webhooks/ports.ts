import type { AccountPorts, AccountSettings } from '../accounts/ports'

/** Ports of webhooks. */
export interface WebhookPorts extends AccountPorts {
  readonly settings: AccountSettings & {
    /** For development: webhooks may use private addresses and plain HTTP. */
    readonly webhooksAllowPrivate: boolean
  }
}
