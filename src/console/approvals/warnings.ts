/** The functions on bodies that this page needs, by one import. */
export { bodyWarnings, htmlToText, textToHtml } from '../../mail/html'
