import type { PostedMail, PostingProvider } from '../../../ports'
import { mailOfMailgun } from './mailgun'
import { mailOfPostmark } from './postmark'
import { NotMail } from './provider'

/** Reads the mail in what a provider posted; in words what it lacks. */
export function postedMail(
  provider: PostingProvider,
  bytes: Uint8Array,
  contentType: string,
): PostedMail | string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return provider === 'mailgun' ? mailOfMailgun(body, contentType) : mailOfPostmark(body)
  } catch (error) {
    // The class of an error does not cross threads.
    if (error instanceof NotMail) return error.message
    throw error
  }
}
