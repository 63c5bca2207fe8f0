import { environmentName, flagName, settingsSchema } from '../../src/service/settings'

/** The table of settings in docs/operating.md, from the schema. */
export function settingsTable(): string {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const { defaultValue } = schema.def as { defaultValue?: unknown }
    const usual = defaultValue === undefined ? '' : `\`${defaultValue}\``
    const { description } = schema.meta() ?? {}
    return `| \`${environmentName(name)}\` | \`--${flagName(name)}\` | \`${name}\` | ${usual} | ${description} |`
  })
  return ['| variable | flag | option | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

const between = /(<!-- settings -->\n)(.*?)(\n<!-- \/settings -->)/s

/** The table in a page; undefined if it has none. */
export const settingsTableIn = (page: string): string | undefined => between.exec(page)?.[2]

/** A page with the table as the schema has it. */
export const withSettingsTable = (page: string): string =>
  page.replace(between, (_, before, _table, behind) => `${before}${settingsTable()}${behind}`)
