import { createRequire } from 'node:module'

/** Returns the path of a file of `src/service/search/data/`, which the build copies. */
export const dataPath = (file: string): string =>
  createRequire(import.meta.url).resolve(`#search-data/${file}`)
