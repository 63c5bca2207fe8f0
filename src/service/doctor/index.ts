/** Checks of the whole service from outside, for problems in production. */

export { examine } from './doctor'
export type { Finding } from './fitness'
