/** Functions on message bodies that this page needs, in one import. */
export { bodyWarnings, htmlToText, textToHtml } from '../../mail/html'
