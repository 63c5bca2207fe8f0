import type { Route } from './route'
import { accountRoutes } from './routes/account'
import { attachmentsRoutes } from './routes/attachments'
import { consoleRoutes } from './routes/console'
import { consumersRoutes } from './routes/consumers'
import { domainsRoutes } from './routes/domains'
import { draftsRoutes } from './routes/drafts'
import { eventsRoutes } from './routes/events'
import { inboxesRoutes } from './routes/inboxes'
import { labelsRoutes } from './routes/labels'
import { listsRoutes } from './routes/lists'
import { messagesRoutes } from './routes/messages'
import { signupsRoutes } from './routes/signups'
import { suppressionsRoutes } from './routes/suppressions'
import { threadsRoutes } from './routes/threads'
import { uploadsRoutes } from './routes/uploads'
import { webhooksRoutes } from './routes/webhooks'

/** The operations of an agent (specification section 4), by group and name. */
export const agentRoutes = {
  signups: signupsRoutes,
  account: accountRoutes,
  inboxes: inboxesRoutes,
  threads: threadsRoutes,
  messages: messagesRoutes,
  drafts: draftsRoutes,
  attachments: attachmentsRoutes,
  labels: labelsRoutes,
  lists: listsRoutes,
  domains: domainsRoutes,
  suppressions: suppressionsRoutes,
  uploads: uploadsRoutes,
  events: eventsRoutes,
  consumers: consumersRoutes,
  webhooks: webhooksRoutes,
} as const satisfies Record<string, Record<string, Route>>

/** The table of operations: those of agents, and those of the humans that they belong to. */
export const routes = { ...agentRoutes, console: consoleRoutes } as const satisfies Record<
  string,
  Record<string, Route>
>

/** The routes that {@link agentRoutes} holds. */
export type AgentRoutes = typeof agentRoutes
/** Every operation of the interface, by group and name. */
export type Routes = typeof routes
