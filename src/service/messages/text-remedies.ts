import type { TextStatus } from '../../protocol/names/text-status'

/** What to do about each state of the text of an attachment. */
export const textRemedies: Record<TextStatus, string> = {
  ready: 'The text is complete, unless `truncated` is true.',
  pending: 'The file is not read yet: ask for its text, which waits until it is.',
  needs_ocr: 'The file is a picture, or a scan without text: show it to a model that reads pictures.',
  too_large: 'Reading the file takes too much memory: download it, or ask the sender for a smaller one.',
  timed_out: 'Reading the file takes too long: download it, or ask the sender for a simpler one.',
  encrypted:
    'The file is encrypted. POST the password of a PDF to read it; other files must be opened elsewhere.',
  unsupported: 'The format has no text that can be read here: ask the sender for a PDF, DOCX or XLSX file.',
  unreadable: 'The file is damaged: ask the sender to send it again.',
}
