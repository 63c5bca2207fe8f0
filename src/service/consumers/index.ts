/** Consumers: leases, acknowledgements, dead letters and redrives. */

export { dropInboxConsumers, eraseForConsumers, joinConsumers } from './changes'
export { createConsumer, deleteConsumer, listConsumers, readConsumer } from './consumers'
export { listDeadLetters, listSkipped, redriveDeadLetters } from './dead-letters'
export { noteDoubleAnswer, reportedMs } from './double-answers'
export { leasedMessagesOf, leaseIdOf, leaseMessages } from './lease'
export { ackLeases, extendLeases, nackLeases, releaseLeases } from './settle'
