/** The HTML of a mail, shown where it can do nothing. */

export { HtmlBody } from './html-body'
