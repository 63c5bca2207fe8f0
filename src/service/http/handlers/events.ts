import { requireReadable } from '../../core/account'
import { awaitLog, logHead } from '../../core/event-log'
import { unauthorized } from '../../core/keys'
import type { Handlers } from '../handler'

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

export const eventsHandlers: Handlers['events'] = {
  list: async ({ core, scope, request, incoming }) => {
    await requireReadable(core, scope)
    const wanted = request.inbox_id ?? scope.inboxId
    const filter = { inboxIds: wanted ? [wanted] : undefined, types: request.types?.split(',') }
    const { tenantId } = scope
    const after = request.after === 'now' ? await logHead(core, tenantId) : request.after
    const ended = new AbortController()
    const unwatch = core.revocations.watch(scope, (why) => ended.abort(why))
    const until = AbortSignal.any([incoming.signal, ended.signal])
    const page = await awaitLog(core, tenantId, after, filter, request.limit, request.wait_ms, until).finally(
      unwatch,
    )
    if (ended.signal.aborted) {
      await requireReadable(core, scope)
      throw unauthorized()
    }
    const events = page.entries.map((entry) => entry.json).join()
    return json(`{"events":[${events}],"from":${page.from},"to":${page.to},"head":${page.head}}`)
  },
}
