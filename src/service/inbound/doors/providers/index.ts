/** Providers that bring mail, a file each. */

import { type InboundProvider, providerPaths } from '../../../../protocol/records'
import { cloudflare } from './cloudflare'
import { mailgun } from './mailgun'
import { postmark } from './postmark'
import type { Provider } from './provider'
import { resend } from './resend'
import { sendgrid } from './sendgrid'
import { ses } from './ses'

export {
  BadSignature,
  type Brought,
  type FetchBytes,
  maxFormBytes,
  NotMail,
  type Provider,
  type ProviderHead,
  type ProviderKey,
  type ProviderMail,
} from './provider'

/** The providers, by their name. */
export const providers: { [Type in InboundProvider['type']]: Provider<Type> } = {
  cloudflare,
  ses,
  mailgun,
  postmark,
  sendgrid,
  resend,
}

/** The name of the provider that posts to a path; undefined where none does. */
export const providerAt = (path: string): InboundProvider['type'] | undefined =>
  (Object.keys(providers) as InboundProvider['type'][]).find((type) => providerPaths[type] === path)
