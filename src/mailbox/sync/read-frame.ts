import { z } from 'zod'
import { ServiceError } from '../../protocol/errors'
import { type ServerFrame, serverFrame } from '../../protocol/frames'
import { type Event, type EventType, event, eventData, seq } from '../../protocol/records'

const misfit = (what: string, details: unknown): ServiceError =>
  new ServiceError('unexpected_answer', `the service sent ${what}: is one side much older than the other?`, {
    status: 200,
    details,
  })

const parseJson = (data: unknown): unknown => {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}

const isKnownKind = (frame: unknown): boolean =>
  serverFrame.options.some(({ shape }) => shape.type.value === (frame as { type?: unknown } | null)?.type)

const eventFrame = (data: z.ZodType) =>
  z.looseObject({ type: z.literal('event'), prev: seq, event: event.extend({ data }) })
const eventFrames = new Map(Object.entries(eventData).map(([type, data]) => [type, eventFrame(data)]))

/** A frame; `fits` says that it is an event whose data was found to be what its type promises. */
export interface ReadFrame {
  readonly frame: ServerFrame
  readonly fits: boolean
}

/** Envelope and data of an event in one go: this is done for every event there is. */
const readEvent = (json: unknown): ServerFrame | null => {
  const { type, event: inner } = json as { type?: unknown; event?: { type?: unknown } | null }
  const schema = type === 'event' ? eventFrames.get(String(inner?.type)) : undefined
  const read = schema?.safeParse(json)
  return read?.success ? (read.data as ServerFrame) : null
}

/**
 * Reads a frame; null for a kind that this version does not know.
 *
 * @throws ServiceError `unexpected_answer` for what is no frame.
 */
export const readFrame = (text: unknown): ReadFrame | null => {
  const json = parseJson(text)
  const fitting = json ? readEvent(json) : null
  if (fitting) return { frame: fitting, fits: true }
  const frame = serverFrame.safeParse(json)
  if (frame.success) return { frame: frame.data, fits: false }
  if (typeof (json as { type?: unknown } | null)?.type === 'string' && !isKnownKind(json)) return null
  throw misfit('a frame that cannot be read', frame.error.issues)
}

/** Finds what is wrong with an event whose data does not fit its type; null where it fits, or the type is unknown. */
export const findMisfit = (event: Event): ServiceError | null => {
  if (!Object.hasOwn(eventData, event.type)) return null
  const checked = eventData[event.type as EventType].safeParse(event.data)
  if (checked.success) return null
  return misfit(`an event ${event.id} (${event.type}) whose data does not fit its type`, checked.error.issues)
}
