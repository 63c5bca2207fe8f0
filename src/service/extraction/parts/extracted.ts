import type { TextStatus } from '../../../protocol/names/text-status'
import type { Extraction } from '../../ports'

/** Reason why a file has no text. */
export type Failure = Exclude<Extraction['status'], 'ready' | 'timed_out'>

/** Result for a file whose text was not read. */
export const withoutText = <Status extends TextStatus>(status: Status) => ({
  ...{ status, format: null, pages: [], pageCount: 0, isCut: false },
})

/** Ends the extraction of a file that has no text. */
export class ExtractionFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

/** Returns the reason for which a file could not be read. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ExtractionFailure) return error.failure
  return (error as { code?: string } | null)?.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable'
}
