import { fetch as undiciFetch } from 'undici'
import type { FetchLike } from '../fetch-like'

/** HTTP in Node and Bun, by undici: the same version everywhere, whatever the platform bundles. */
export const fetch = undiciFetch as unknown as FetchLike
