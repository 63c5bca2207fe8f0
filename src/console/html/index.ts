/** The HTML of a mail, shown where it can do nothing. */

export { Frames } from './frames'
export { HtmlBody } from './html-body'
