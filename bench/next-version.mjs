import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The step of a later version, which adds to the tables and takes nothing away. */
const step = `"9999-next": () => ({
  async up(db) {
    await db.schema.alterTable("messages").addColumn("next_note", "text").execute();
    await db.schema.alterTable("accounts").addColumn("next_count", "integer", (column) => column.notNull().defaultTo(0)).execute();
    await db.schema.createTable("next_things").addColumn("tenant_id", "text").execute();
  }
})`

/** Copies what was built and adds a step to its tables: what stands for the version after this one. */
export async function buildNextVersion() {
  const folder = await mkdtemp(join(tmpdir(), 'restante-next-'))
  for (const name of ['package.json', 'dist', 'bench'])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  let changed = 0
  for (const name of (await readdir(join(folder, 'dist'))).filter((one) => one.endsWith('.js'))) {
    const file = join(folder, 'dist', name)
    const text = await readFile(file, 'utf8')
    const next = text.replace(/("?0001-tables"?: *\w+)/, (all) => `${all}, ${step}`)
    if (next !== text) changed += 1
    await writeFile(file, next)
  }
  if (changed !== 1) throw new Error(`the steps of the tables were found in ${changed} files of dist`)
  return { program: join(folder, 'bench/service.mjs'), remove: () => rm(folder, { recursive: true }) }
}
