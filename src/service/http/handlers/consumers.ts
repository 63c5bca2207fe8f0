import { listDeadLetters, redriveDeadLetters } from '../../core/consumer-dead-letters'
import { deliveriesOf, leaseMessages, leaseOf } from '../../core/consumer-lease'
import { ackLeases, extendLeases, nackLeases, releaseLeases } from '../../core/consumer-settle'
import { createConsumer, deleteConsumer, listConsumers, readConsumer } from '../../core/consumers'
import type { Handlers } from '../handler'
import { whileHeld } from '../while-held'

export const consumersHandlers: Handlers['consumers'] = {
  create: async ({ core, scope, request }) => {
    const { replayed, answer } = await createConsumer(core, scope, request)
    return Response.json(answer, { status: replayed ? 200 : 201 })
  },
  list: ({ core, scope, request }) => listConsumers(core, scope, request),
  get: ({ core, scope, request }) => readConsumer(core, scope, request.name),
  delete: ({ core, scope, request }) => deleteConsumer(core, scope, request.name),
  lease: (call) =>
    whileHeld(call, async (signal) => {
      const { core, scope, request } = call
      const { name } = request
      const rows = await leaseMessages(core, scope, name, request, signal)
      // Nobody is there to handle them.
      if (signal.aborted && rows.length > 0) {
        await releaseLeases(core, scope, { name, leases: rows.map(leaseOf) })
        return { deliveries: [] }
      }
      return { deliveries: await deliveriesOf(core, scope.tenantId, rows) }
    }),
  ack: ({ core, scope, request }) => ackLeases(core, scope, request),
  nack: ({ core, scope, request }) => nackLeases(core, scope, request),
  extend: ({ core, scope, request }) => extendLeases(core, scope, request),
  release: ({ core, scope, request }) => releaseLeases(core, scope, request),
  deadLetters: ({ core, scope, request }) => listDeadLetters(core, scope, request),
  redrive: ({ core, scope, request }) => redriveDeadLetters(core, scope, request),
}
