import * as z from 'zod'
import { accountState } from './account'
import { openEnum, seq, timestamp } from './common'
import { domain } from './domain'
import { draft } from './draft'
import { inbox } from './inbox'
import { label } from './label'
import { messageSummary } from './message'
import { mergedThread, thread } from './thread'

/** A deleted record in an event, without its content. */
const deletedRecord = z
  .looseObject({ id: z.string(), inbox_id: z.string().optional(), thread_id: z.string().optional(), seq })
  .meta({ id: 'DeletedRecord' })
export type DeletedRecord = z.infer<typeof deletedRecord>

/** An account in its events. */
const accountChange = accountState
  .extend({
    id: z.string().meta({ description: 'The `tenant_id` of the account.' }),
    seq: seq.meta({ description: 'The position of its last change in the log.' }),
  })
  .meta({ id: 'AccountChange' })

/** Every type of event, with the record in its `data`. A reader must accept unknown types. */
export const eventData = {
  'message.received': messageSummary,
  'message.queued': messageSummary,
  'message.sent': messageSummary,
  'message.deferred': messageSummary,
  'message.delivered': messageSummary,
  'message.bounced': messageSummary,
  'message.rejected': messageSummary,
  'message.complained': messageSummary,
  'message.updated': messageSummary,
  'draft.created': draft,
  'draft.updated': draft,
  'draft.deleted': draft,
  'draft.sent': draft,
  'message.deleted': deletedRecord,
  'thread.updated': thread,
  'thread.merged': mergedThread,
  'thread.held': thread,
  'thread.released': thread,
  'thread.unattended': thread,
  'thread.deleted': deletedRecord,
  'inbox.created': inbox,
  'inbox.updated': inbox,
  'inbox.deleted': deletedRecord,
  'label.created': label,
  'label.updated': label,
  'label.deleted': deletedRecord,
  'label.assigned': messageSummary,
  'label.unassigned': messageSummary,
  'account.claimed': accountChange,
  'domain.verified': domain,
  'domain.failing': domain,
  'account.paused': accountChange,
  'account.resumed': accountChange,
} as const

/** Type of an event: `noun.past-verb`. */
export type EventType = keyof typeof eventData
/** Every type of event that this version knows. */
export const eventTypes = Object.keys(eventData) as [EventType, ...EventType[]]

/** An entry of an account's log; the same bytes on socket, webhook and poll. */
export const event = z
  .looseObject({
    id: z.string(),
    type: openEnum(eventTypes),
    seq: z.int().min(1),
    inbox_id: z
      .string()
      .nullable()
      .meta({ description: 'The inbox that it concerns; null for the account as a whole.' }),
    created_at: timestamp,
    data: z.looseObject({}).meta({ description: 'The record that changed, without bodies.' }),
  })
  .meta({ id: 'Event' })
/** A change of the account: the same on socket, webhook and poll. */
export type Event = z.infer<typeof event>

/** An event of a known type, with the type of its data. */
export type EventOf<Type extends EventType> = Omit<Event, 'type' | 'data'> & {
  type: Type
  data: z.infer<(typeof eventData)[Type]>
}

/** Epoch of a log, as pages and sockets report it. */
export const logEpoch = {
  epoch: z.string().optional().meta({
    description:
      'Epoch of the log. A restore from a backup begins another: after `epoch_from`, the same positions mean other events.',
  }),
  epoch_from: seq.optional().meta({
    description: 'The last position that the epoch shares with the one before.',
  }),
}

/** A part of the log: all events with `from < seq ≤ to` that pass the filter of the request. */
export const eventPage = z
  .looseObject({
    events: z.array(event),
    from: seq,
    to: seq.meta({ description: 'The cursor for the next request.' }),
    head: seq.meta({ description: 'The newest position of the log when the page was read.' }),
    ...logEpoch,
  })
  .meta({ id: 'EventPage' })
/** A part of the event log. */
export type EventPage = z.infer<typeof eventPage>
