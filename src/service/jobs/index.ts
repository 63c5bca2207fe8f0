/** The one leased queue. */

export { holdRestoredJobs, holdWhilePaused, releasePausedJobs, releaseRestoredJobs } from './held-jobs'
export { createJobHolder, leaseMs } from './job-holder'
export { createJobRunner, type JobRunner } from './job-runner'
export {
  cancelJob,
  dueDestinations,
  finishJob,
  holdsJob,
  insertJobs,
  type Job,
  leaseJobs,
  narrowJob,
  postponeJob,
  queueTopic,
  releaseAllLeases,
} from './jobs'
export type { JobPorts } from './ports'
