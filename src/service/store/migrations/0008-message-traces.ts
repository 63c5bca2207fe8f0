import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/** Messages store the span that created them, if the service has an OpenTelemetry SDK. */
export const messageTraces: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'messages', { traceparent: textOrNull }, dialect)
  },
})
