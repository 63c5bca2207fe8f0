import type { ParsedMail } from '../../mail/parsed-mail'

/** Content types of calendars: as RFC 6047 demands, and as attached files have them. */
const calendarType = /^(?:text\/calendar|application\/ics)$/

/** Returns the index of the first attachment that is a calendar; null if there is none. */
export const calendarIndexOf = ({ attachments }: Pick<ParsedMail, 'attachments'>): number | null =>
  attachments.find(({ contentType }) => calendarType.test(contentType))?.index ?? null
