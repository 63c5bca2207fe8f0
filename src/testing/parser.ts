import { parseMail, readAttachments } from '../mail/parse'
import type { MailParser } from '../service/mail-parser'
import type { Activity } from './activity'

/** Reads mail in this thread: the mail of a test is no danger, and starting threads takes longer than reading it. */
export const createParser = (activity: Activity): MailParser => ({
  parse: (raw, mailFrom) => activity.during(() => parseMail(raw, {}, mailFrom)),
  attachments: (raw, indexes) => activity.during(() => readAttachments(raw, indexes)),
  waiting: () => 0,
  close: async () => {},
})
