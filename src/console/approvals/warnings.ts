/** Functions on message bodies that this page needs, in one import. */
export { bodyWarnings } from '../../mail/html/body-warnings'
export { htmlToText } from '../../mail/html/html-to-text'
export { textToHtml } from '../../mail/html/text-to-html'
