import { sql } from 'kysely'
import { tables } from '../tables/schema'
import { searchMigration } from '../tables/search-tables'
import type { Step } from './create-tables'
import { createDeclared } from './create-tables'

/** Tables of models that were learned from messages; a new database has none of them. */
const formerTables = ['search_vector_rows', 'search_vectors', 'search_models']

/** Replaces the models of accounts, and marks all messages to be indexed again in the background. */
export const searchTables: Step = (dialect) => ({
  async up(db) {
    for (const name of formerTables) await sql.raw(`drop table if exists ${name}`).execute(db)
    await createDeclared(db, tables, searchMigration, dialect)
    await sql`update search_cursors set outdated = seq`.execute(db)
  },
})
