import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/** Messages keep the span in which they came to be, where the service has an SDK of OpenTelemetry. */
export const messageTraces: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'messages', { traceparent: textOrNull }, dialect)
  },
})
