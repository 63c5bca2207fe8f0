import type { AccountPorts, AccountSettings } from '../accounts'

/** The ports of webhooks. */
export interface WebhookPorts extends AccountPorts {
  readonly settings: AccountSettings & {
    /** For development: webhooks may go to private addresses, and over plain HTTP. */
    readonly webhooksAllowPrivate: boolean
  }
}
