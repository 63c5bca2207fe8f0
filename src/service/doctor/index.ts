/** Looks at the whole service from outside, for what is not fit for production. */

export { examine } from './doctor'
export type { Finding } from './fitness'
