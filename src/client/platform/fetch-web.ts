import type { FetchLike } from '../fetch-like'

/** HTTP by the platform; looked up at each call, so that one which is replaced later is found. */
export const fetch: FetchLike = (url, init) => globalThis.fetch(url, init)
