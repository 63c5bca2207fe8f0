/**
 * Returns the value that a table has for a name. Names such as `constructor`, which every object inherits and a stranger may
 * write, have none.
 */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
