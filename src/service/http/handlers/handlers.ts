import { accountHandlers, signupsHandlers } from './account'
import { attachmentsHandlers, uploadsHandlers } from './attachments'
import { auditHandlers } from './audit'
import type { Handlers } from './call'
import { connectionsHandlers } from './connections'
import { consoleHandlers } from './console'
import { consumersHandlers } from './consumers'
import { domainsHandlers } from './domains'
import { draftsHandlers } from './drafts'
import { eventsHandlers } from './events'
import { inboundHandlers } from './inbound'
import { inboxesHandlers } from './inboxes'
import { labelsHandlers } from './labels'
import { listsHandlers } from './lists'
import { messagesHandlers } from './messages'
import { suppressionsHandlers } from './suppressions'
import { savedRepliesHandlers, threadsHandlers } from './threads'
import { webhooksHandlers } from './webhooks'

/** One handler for each operation of the table. */
export const handlers: Handlers = {
  signups: signupsHandlers,
  account: accountHandlers,
  inboxes: inboxesHandlers,
  threads: threadsHandlers,
  messages: messagesHandlers,
  drafts: draftsHandlers,
  attachments: attachmentsHandlers,
  domains: domainsHandlers,
  uploads: uploadsHandlers,
  labels: labelsHandlers,
  lists: listsHandlers,
  suppressions: suppressionsHandlers,
  events: eventsHandlers,
  connections: connectionsHandlers,
  consumers: consumersHandlers,
  webhooks: webhooksHandlers,
  inbound: inboundHandlers,
  audit: auditHandlers,
  savedReplies: savedRepliesHandlers,
  console: consoleHandlers,
}
