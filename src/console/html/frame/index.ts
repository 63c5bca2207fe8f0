/** The document that shows the HTML of a mail; its script is `frame.ts`, which the build makes a file of its own. */

export type { FromFrame, ToFrame } from './protocol'
