import { RestanteError } from './errors/error'
import type { Event } from './records/event'
import { misfitOf } from './shape'
import { eventShape } from './wire'

/** Parses the event of a verified body. @throws RestanteError `webhook_unverified` */
export function readWebhookEvent(text: string): Event {
  try {
    const event: unknown = JSON.parse(text)
    const misfit = misfitOf(eventShape, event)
    if (misfit === null) return event as Event
    throw new TypeError(`it${misfit}`)
  } catch (cause) {
    throw new RestanteError('webhook_unverified', 'The signature fits, but the body is not an event.', {
      cause,
    })
  }
}
