import { ServiceError } from '../../protocol/errors/error'
import type { ServerFrame } from '../../protocol/frames'
import type { Event } from '../../protocol/records/event'
import { misfitOf } from '../../protocol/shape'
import { eventShapes, frameShapes } from '../../protocol/wire'

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

/**
 * Parses a frame; returns null for a type that this version does not know.
 *
 * @throws ServiceError `unexpected_answer` for anything that is not a frame
 */
export const readFrame = (text: unknown): ServerFrame | null => {
  const json = parseJson(text)
  const type = (json as { type?: unknown } | null | undefined)?.type
  if (typeof type !== 'string') throw misfit('a frame that cannot be read', 'it has no type')
  if (!Object.hasOwn(frameShapes, type)) return null
  const found = misfitOf(frameShapes[type]!, json)
  if (found) throw misfit('a frame that cannot be read', `it${found}`)
  return json as ServerFrame
}

/** Returns the error for an event whose data does not fit its type; null if it fits or is unknown. */
export const findMisfit = ({ id, type, data }: Event): ServiceError | null => {
  if (!Object.hasOwn(eventShapes, type)) return null
  const found = misfitOf(eventShapes[type]!, data)
  return found ? misfit(`an event ${id} (${type}) whose data does not fit its type`, `data${found}`) : null
}
