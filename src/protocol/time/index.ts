/** Time as the mailbox and the service go by it. */

export { type Clock, dayMs, hourMs, idle, minuteMs, monotonicNow, systemClock } from './clock'
