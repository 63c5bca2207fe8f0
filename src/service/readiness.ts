import { sql } from 'kysely'
import type { Core } from './core/context'

const databaseMs = 2_000

/** What the service needs to do its work, by part. */
export interface Readiness {
  database: boolean
  /** Whether the SMTP door is open. */
  smtp: boolean
}

async function databaseAnswers({ store, clock }: Core): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(databaseMs, () => resolve(false))
  })
  const asked = sql`select 1`.execute(store.db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, late]).finally(cancel)
}

/** Looks at what the service needs now; its tables are there since it was made. */
export const readReadiness = async (core: Core, smtp: boolean): Promise<Readiness> => ({
  database: await databaseAnswers(core),
  smtp,
})
