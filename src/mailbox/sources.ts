import type { Clock } from './clock'
import type { Connection } from './connection'
import { createPollSource, createWebhookSource } from './poll-source'
import { createSocketSource } from './socket-source'
import type { SourceKind, StartSource } from './source'

/** Everything that the log can be read by. */
export const createSources = (
  { client, openSocket, socket }: Connection,
  inboxId: string | undefined,
  clock: Clock,
): Readonly<Record<SourceKind, StartSource>> => ({
  socket: createSocketSource({ socket, openSocket, inboxId, clock }),
  webhook: createWebhookSource({ client, inboxId, clock }),
  poll: createPollSource({ client, inboxId, clock }),
})
