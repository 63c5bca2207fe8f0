import * as z from 'zod'
import { consumerName, noContent, pageAnswer, pageQuery } from '../records/common'
import {
  ackBody,
  consumer,
  consumerBody,
  consumerState,
  deadLetter,
  leaseBody,
  leasedMessage,
  leasesAnswer,
  leasesBody,
  nackBody,
  redriveBody,
} from '../records/consumer'
import { messageSummary } from '../records/message'
import type { Route } from './route'

const params = z.strictObject({ name: consumerName })
const errors = ['account_expired', 'not_found'] as const
const ofLeases = {
  method: 'POST',
  access: 'read',
  params,
  success: { status: 200 },
  answer: leasesAnswer,
  errors,
  idempotent: true,
} as const

const ofPause = {
  method: 'POST',
  access: 'manage',
  params,
  success: { status: 200 },
  answer: consumer,
  errors: [...errors, 'claim_required'],
  idempotent: true,
} as const

/** Consumers. Leasing and acknowledging need only the scope `read`; redriving needs more. */
export const consumersRoutes = {
  create: {
    method: 'POST',
    path: '/consumers',
    summary: 'Create a consumer, or find it',
    description:
      'Answers the consumer of this name where there is one (200); it goes on where it was, whatever `from` says.',
    access: 'read',
    body: consumerBody,
    success: { status: 201, replayStatus: 200 },
    answer: consumer,
    errors: [...errors, 'consumer_exists', 'consumer_limit_reached'],
    idempotent: true,
  },
  list: {
    method: 'GET',
    path: '/consumers',
    summary: 'List consumers by name',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ consumers: z.array(consumer), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/consumers/{name}',
    summary: 'Read a consumer, and how much it has to do',
    access: 'read',
    params,
    success: { status: 200 },
    answer: consumerState,
    errors,
  },
  delete: {
    method: 'DELETE',
    path: '/consumers/{name}',
    summary: 'Delete a consumer, with all it remembers',
    access: 'read',
    params,
    success: { status: 204 },
    answer: noContent,
    errors,
  },
  lease: {
    method: 'POST',
    path: '/consumers/{name}/lease',
    summary: 'Take messages to handle',
    description:
      'Nobody else gets them for 20 seconds: acknowledge them until then, or extend the leases. Of a thread one message is out at a time, in order.',
    access: 'read',
    params,
    body: leaseBody,
    success: { status: 200 },
    answer: z.looseObject({ deliveries: z.array(leasedMessage) }),
    errors,
  },
  ack: {
    ...ofLeases,
    path: '/consumers/{name}/ack',
    summary: 'Be done with messages',
    description: 'Safe to repeat: a lease that was acknowledged before is among the `lost`.',
    body: ackBody,
  },
  nack: {
    ...ofLeases,
    path: '/consumers/{name}/nack',
    summary: 'Release messages, to be leased again later',
    description:
      'After the tenth attempt it is a dead letter, or is handed over: see `on_give_up` of a lease.',
    body: nackBody,
  },
  extend: {
    ...ofLeases,
    path: '/consumers/{name}/extend',
    summary: 'Keep messages for 20 seconds from now',
    body: leasesBody,
  },
  release: {
    ...ofLeases,
    path: '/consumers/{name}/release',
    summary: 'Release messages as if they had never been leased',
    description: 'They can be had at once, and the attempt does not count.',
    body: leasesBody,
  },
  pause: {
    ...ofPause,
    path: '/consumers/{name}/pause',
    summary: 'Pause a consumer',
    description:
      'Nobody gets new leases of it, on every node, until it is resumed. Leases that are out stay, and its messages wait.',
  },
  resume: {
    ...ofPause,
    path: '/consumers/{name}/resume',
    summary: 'Resume a paused consumer',
    description: 'Its messages are leased again, in order. A consumer that is not paused stays as it is.',
  },
  deadLetters: {
    method: 'GET',
    path: '/consumers/{name}/dead-letters',
    summary: 'List dead letters in the order of the mail',
    access: 'read',
    params,
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ dead_letters: z.array(deadLetter), ...pageAnswer }),
    errors: [...errors, 'invalid_cursor'],
  },
  skipped: {
    method: 'GET',
    path: '/consumers/{name}/skipped',
    summary: 'List the messages that were left out, in the order of the mail',
    description:
      'They are `unanswerable`: a reply to them would be refused. One that was misjudged is sent round by `redrive`.',
    access: 'read',
    params,
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ messages: z.array(messageSummary), ...pageAnswer }),
    errors: [...errors, 'invalid_cursor'],
  },
  redrive: {
    method: 'POST',
    path: '/consumers/{name}/redrive',
    summary: 'Send dead letters, or what was skipped, round again',
    description:
      'Their attempts start at 0, and their leases say `redriven`. Skipped messages are no longer `unanswerable`. Messages that were answered meanwhile are left out, even if they are named, unless `include_answered` is true.',
    // A redrive changes what agents do, and lets them write to omitted senders.
    access: { anyOf: ['send', 'manage'] },
    params,
    body: redriveBody,
    success: { status: 200 },
    answer: z.looseObject({
      redriven: z.int().min(0),
      left_out: z.int().min(0).optional().meta({
        description: 'Messages that stay as they are, since something was sent in their thread after them.',
      }),
    }),
    withoutRead: 'all',
    errors: [...errors, 'claim_required'],
  },
} as const satisfies Record<string, Route>
