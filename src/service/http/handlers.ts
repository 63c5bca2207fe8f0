import type { Handlers } from './handler'
import { accountHandlers } from './handlers/account'
import { attachmentsHandlers } from './handlers/attachments'
import { consoleHandlers } from './handlers/console'
import { consumersHandlers } from './handlers/consumers'
import { domainsHandlers } from './handlers/domains'
import { draftsHandlers } from './handlers/drafts'
import { eventsHandlers } from './handlers/events'
import { inboxesHandlers } from './handlers/inboxes'
import { labelsHandlers } from './handlers/labels'
import { listsHandlers } from './handlers/lists'
import { messagesHandlers } from './handlers/messages'
import { signupsHandlers } from './handlers/signups'
import { suppressionsHandlers } from './handlers/suppressions'
import { threadsHandlers } from './handlers/threads'
import { uploadsHandlers } from './handlers/uploads'
import { webhooksHandlers } from './handlers/webhooks'

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
  consumers: consumersHandlers,
  webhooks: webhooksHandlers,
  console: consoleHandlers,
}
