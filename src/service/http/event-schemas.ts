import { z } from 'zod'
import { type EventType, event, eventData } from '../../protocol/records'

/** The schema of each type of event, under the name by which both descriptions of the interface know it. */
export const eventSchemas = Object.entries(eventData).map(([type, data]) => ({
  type: type as EventType,
  schema: event.extend({ type: z.literal(type), data }).meta({ id: `Event.${type}` }),
}))
