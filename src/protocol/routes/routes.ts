import { accountRoutes, auditRoutes, signupsRoutes } from './account'
import { attachmentsRoutes, uploadsRoutes } from './attachments'
import { connectionsRoutes } from './connections'
import { consoleRoutes } from './console'
import { consumersRoutes } from './consumers'
import { domainsRoutes } from './domains'
import { draftsRoutes } from './drafts'
import { eventsRoutes } from './events'
import { inboundRoutes, providerRoutes } from './inbound'
import { inboxesRoutes } from './inboxes'
import { labelsRoutes } from './labels'
import { listsRoutes } from './lists'
import { messagesRoutes } from './messages'
import type { Route } from './route'
import { suppressionsRoutes } from './suppressions'
import { savedRepliesRoutes, threadsRoutes } from './threads'
import { webhooksRoutes } from './webhooks'

/** Operations of an agent (specification section 4), by group and name. */
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
  connections: connectionsRoutes,
  consumers: consumersRoutes,
  webhooks: webhooksRoutes,
  inbound: inboundRoutes,
} as const satisfies Record<string, Record<string, Route>>

/**
 * Table of operations: those of agents, and those of their operators. The client has only the first: each
 * operation adds to what browsers load.
 */
export const routes = {
  ...agentRoutes,
  inbound: { ...inboundRoutes, ...providerRoutes },
  audit: auditRoutes,
  savedReplies: savedRepliesRoutes,
  console: consoleRoutes,
} as const satisfies Record<string, Record<string, Route>>

/** Routes in {@link agentRoutes}. */
export type AgentRoutes = typeof agentRoutes
/** Every operation of the interface, by group and name. */
export type Routes = typeof routes
