import { requireReadable } from '../../core/account'
import { awaitLog, logHead } from '../../core/event-log'
import type { Handlers } from '../handler'
import { whileHeld } from '../while-held'

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

export const eventsHandlers: Handlers['events'] = {
  list: async (call) => {
    const { core, scope, request } = call
    await requireReadable(core, scope)
    const wanted = scope.inboxId ?? request.inbox_id
    const filter = { inboxIds: wanted ? [wanted] : undefined, types: request.types?.split(',') }
    const { tenantId } = scope
    const after = request.after === 'now' ? await logHead(core, tenantId) : request.after
    const page = await whileHeld(call, (signal) =>
      awaitLog(core, tenantId, after, filter, request.limit, request.wait_ms, signal),
    )
    const events = page.entries.map((entry) => entry.json).join()
    return json(`{"events":[${events}],"from":${page.from},"to":${page.to},"head":${page.head}}`)
  },
}
