import type { HttpPorts } from '../http'

/** Ports of operating the whole service: all of them. */
export interface HostPorts extends HttpPorts {
  readonly settings: HttpPorts['settings'] & {
    /** Retention in ms of events and their webhook deliveries. */
    readonly keepEventsMs: number
    /** Retention in ms of the data of an unclaimed account after its expiry. */
    readonly keepExpiredMs: number
    /** Retention in ms of messages in the trash; null to keep them. */
    readonly keepTrashMs: number | null
  }
}
