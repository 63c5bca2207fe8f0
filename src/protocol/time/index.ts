/** Time as the mailbox and the service go by it. */

export { type Clock, dayMs, hourMs, minuteMs, systemClock } from './clock'
