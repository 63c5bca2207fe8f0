import {
  createConsumer,
  deleteConsumer,
  listConsumers,
  pauseConsumer,
  readConsumer,
} from '../../consumers/consumers'
import { listDeadLetters, listSkipped, redriveDeadLetters } from '../../consumers/dead-letters'
import { leasedMessagesOf, leaseIdOf, leaseMessages } from '../../consumers/lease'
import { ackLeases, extendLeases, nackLeases, releaseLeases } from '../../consumers/settle'
import { AnswerWith } from '../answers/answer-with'
import { type Handlers, whileHeld } from './call'

export const consumersHandlers: Handlers['consumers'] = {
  create: async ({ ports, scope, request }) => {
    const { replayed, answer } = await createConsumer(ports, scope, request)
    return new AnswerWith(answer, replayed ? 200 : 201)
  },
  list: ({ ports, scope, request }) => listConsumers(ports, scope, request),
  get: ({ ports, scope, request }) => readConsumer(ports, scope, request.name),
  delete: ({ ports, scope, request }) => deleteConsumer(ports, scope, request.name),
  lease: (call) =>
    whileHeld(call, async (signal) => {
      const { ports, scope, request } = call
      const { name } = request
      const rows = await leaseMessages(ports, scope, name, request, signal)
      // The caller left, so nobody would handle them.
      if (signal.aborted && rows.length > 0) {
        await releaseLeases(ports, scope, { name, leases: rows.map(leaseIdOf) })
        return { deliveries: [] }
      }
      return { deliveries: await leasedMessagesOf(ports, scope, rows) }
    }),
  ack: ({ ports, scope, request }) => ackLeases(ports, scope, request),
  nack: ({ ports, scope, request }) => nackLeases(ports, scope, request),
  extend: ({ ports, scope, request }) => extendLeases(ports, scope, request),
  release: ({ ports, scope, request }) => releaseLeases(ports, scope, request),
  pause: ({ ports, scope, request }) => pauseConsumer(ports, scope, request.name, true),
  resume: ({ ports, scope, request }) => pauseConsumer(ports, scope, request.name, false),
  deadLetters: ({ ports, scope, request }) => listDeadLetters(ports, scope, request),
  skipped: ({ ports, scope, request }) => listSkipped(ports, scope, request),
  redrive: ({ ports, scope, request }) => redriveDeadLetters(ports, scope, request),
}
