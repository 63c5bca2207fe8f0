import type { PostedMail, PostingProvider } from '../../../ports'
import { mailOfMailgun } from './mailgun'
import { mailOfPostmark } from './postmark'
import { NotMail } from './provider'

/** Extracts the message from a provider's request, or returns a text that says what is missing. */
export async function postedMail(
  provider: PostingProvider,
  bytes: Uint8Array,
  contentType: string,
): Promise<PostedMail | string> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return provider === 'mailgun' ? await mailOfMailgun(body, contentType) : mailOfPostmark(body)
  } catch (error) {
    // Error classes do not survive the transfer between threads.
    if (error instanceof NotMail) return error.message
    throw error
  }
}
