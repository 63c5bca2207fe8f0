import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { openBeside } from './open-beside'

/** Words that are nowhere else, by the name of the place where each was written. */
export interface Marks {
  /** The word of a place: the same whenever it is asked for. */
  of(place: string): string
  readonly places: string[]
}

const randomWord = () => Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26))).join('')

export function createMarks(): Marks {
  const words = new Map<string, string>()
  return {
    of(place) {
      const word = words.get(place) ?? randomWord()
      words.set(place, word)
      return word
    },
    get places() {
      return [...words.keys()].sort()
    },
  }
}

const tableNames = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table'`,
  postgres: sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = current_schema()`,
}

const bytesOf = (value: unknown) => Buffer.from(value instanceof Uint8Array ? value : String(value))

/** Every cell of every table, those of the search index too. */
export async function readCells(options: ServiceOptions): Promise<Map<string, Buffer>> {
  const db = await openBeside(options)
  const parts = new Map<string, Buffer[]>()
  try {
    const { rows } = await tableNames[options.databaseUrl ? 'postgres' : 'sqlite'].execute(db)
    for (const { name } of rows) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
      for (const [column, value] of rows.flatMap((row) => Object.entries(row)))
        parts.set(`${name}.${column}`, [...(parts.get(`${name}.${column}`) ?? []), bytesOf(value)])
    }
  } finally {
    await db.destroy()
  }
  return new Map([...parts].map(([where, buffers]) => [where, Buffer.concat(buffers)]))
}

/** The bytes of every file of a data folder, whatever they mean. */
export function readFiles(folder: string | undefined): Map<string, Buffer> {
  if (folder === undefined) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const read = (file: string) => {
    try {
      return readFileSync(file)
    } catch {
      return Buffer.alloc(0) // it was removed a moment ago
    }
  }
  return new Map(files.map((one) => [one.name, read(join(one.parentPath, one.name))]))
}

/** A word, or enough of it to know it again: the search index leaves out how words begin alike. */
const tracesOf = (word: string) => [word.slice(3), Buffer.from(word).toString('base64').replace(/.=*$/, '')]

/** Where the word of each place still is: tables and columns, and files. Places without any are left out. */
export async function findMarks(marks: Marks, options: ServiceOptions): Promise<Record<string, string[]>> {
  const everywhere = [...(await readCells(options)), ...readFiles(options.data)]
  const found = marks.places.map((place) => {
    const traces = tracesOf(marks.of(place))
    const where = everywhere.filter(([, bytes]) => traces.some((trace) => bytes.includes(trace)))
    return [place, where.map(([name]) => name)] as const
  })
  return Object.fromEntries(found.filter(([, where]) => where.length > 0))
}
