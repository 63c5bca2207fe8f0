import type { Step } from './step'
import { createTables, text, textOrNull } from './tables'

/** Answers to requests with an `Idempotency-Key`, kept for a day. */
export const keptAnswers: Step = (dialect) => ({
  async up(db) {
    const kept_answers = {
      columns: {
        ...{ tenant_id: text, route: text, key_hash: text, fingerprint: text },
        ...{ token: text, answer: textOrNull, created_at: text },
      },
      key: ['tenant_id', 'route', 'key_hash'],
      indexes: { kept_answers_by_time: '(created_at)' },
    }
    await createTables(db, { kept_answers }, dialect)
  },
})
