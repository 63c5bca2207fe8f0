/** What connections and PostgreSQL say where it cannot be reached, is stopping or starting, or has no place left. */
const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006'],
])
/** `pg` gives no code to these. */
const words = /^(?:Connection terminated|timeout exceeded when trying to connect)/

/** Whether a query failed since the database is away: the same query may succeed in a while. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  (codes.has(String((error as { code?: unknown }).code)) || words.test(error.message))
