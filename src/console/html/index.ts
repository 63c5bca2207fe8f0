/** HTML of a message, shown in a sandbox. */

export { Frames } from './frames'
export { HtmlBody } from './html-body'
