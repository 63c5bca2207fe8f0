/** Time for the mailbox and the service. */

export { type Clock, dayMs, hourMs, idle, minuteMs, monotonicNow, systemClock } from './clock'
