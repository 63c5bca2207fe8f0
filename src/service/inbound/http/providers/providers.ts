/** Providers of incoming messages, one file each. */

import { type InboundProvider, providerPaths } from '../../../../protocol/records/inbound/provider'
import { cloudflare } from './cloudflare'
import { mailgun } from './mailgun'
import { postmark } from './postmark'
import type { Provider } from './provider'
import { resend } from './resend'
import { sendgrid } from './sendgrid'
import { ses } from './ses'

/** Providers by name. */
export const providers: { [Type in InboundProvider['type']]: Provider<Type> } = {
  cloudflare,
  ses,
  mailgun,
  postmark,
  sendgrid,
  resend,
}

/** Returns the name of the provider that posts to a path; undefined if there is none. */
export const providerAt = (path: string): InboundProvider['type'] | undefined =>
  (Object.keys(providers) as InboundProvider['type'][]).find((type) => providerPaths[type] === path)
