/**
 * Document that shows the HTML of a message; its script is `frame.ts`, which the build bundles separately.
 */

export type { FromFrame, ToFrame } from './protocol'
