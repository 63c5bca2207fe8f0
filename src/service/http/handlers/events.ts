import { requireReadable } from '../../accounts/account'
import { narrowEvent } from '../../base/sender'
import { awaitLog, logHead } from '../../log/event-log'
import { type Handlers, whileHeld } from './call'

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

export const eventsHandlers: Handlers['events'] = {
  list: async (call) => {
    const { ports, scope, request } = call
    await requireReadable(ports, scope)
    const wanted = scope.inboxId ?? request.inbox_id
    const filter = { inboxIds: wanted ? [wanted] : undefined, types: request.types?.split(',') }
    const { tenantId } = scope
    const after = request.after === 'now' ? await logHead(ports, tenantId) : request.after
    const page = await whileHeld(call, (signal) =>
      awaitLog(ports, tenantId, after, filter, request.limit, request.wait_ms, signal),
    )
    const events = page.entries.map((entry) => narrowEvent(entry.json, scope)).join()
    const { epoch, epoch_from } = page.epoch
    return json(
      `{"events":[${events}],"from":${page.from},"to":${page.to},"head":${page.head},"epoch":"${epoch}","epoch_from":${epoch_from}}`,
    )
  },
}
