import type { Clock } from '../protocol/time/clock'
import type { EndpointAnswer, EndpointRequest } from '../service/ports'
import type { Activity } from './activity'

/** Handles a webhook, as `mailbox.webhook({ secret })` does. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>

/** The endpoint of a webhook of the service, in this process. */
export interface Endpoint {
  /** Id of the webhook at the service. */
  readonly id: string
  /** Secret that signs attempts, `whsec_…`. */
  readonly secret: string
  readonly url: string
  /**
   * Sets the handler of later requests. Before, every request is refused.
   *
   * @example
   * ```ts
   * const endpoint = await world.webhook()
   * endpoint.answer(mailbox.webhook({ secret: endpoint.secret }))
   * ```
   */
  answer(handler: WebhookHandler): void
  /** All requests that reached it, oldest first, repeats included. */
  readonly requests: readonly EndpointRequest[]
}

const timeoutMs = 15_000

export const failed = (error: string): EndpointAnswer => ({ httpStatus: null, error, responseBody: null })

/** Passes a request to a handler, with the timeout of the service. */
export async function askHandler(
  handler: WebhookHandler,
  { url, headers, body }: EndpointRequest,
  { clock, activity }: { clock: Clock; activity: Activity },
): Promise<EndpointAnswer> {
  let cancel = () => {}
  const late = new Promise<EndpointAnswer>((resolve) => {
    cancel = clock.background(timeoutMs, () => resolve(failed('There was no answer in time.')))
  })
  const ask = async () => {
    const response = await handler(new Request(url, { method: 'POST', headers, body }))
    const { status } = response
    const error = response.ok ? null : `The endpoint answered ${status}.`
    return { httpStatus: status, error, responseBody: (await response.text()).slice(0, 2_048) }
  }
  try {
    return await Promise.race([late, activity.during(ask)])
  } catch (error) {
    return failed(`The endpoint failed: ${(error as Error)?.message ?? error}`)
  } finally {
    cancel()
  }
}
