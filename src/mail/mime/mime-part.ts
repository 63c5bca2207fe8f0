import type { PartFields } from './part-fields'

/** A part of a message, or the mail itself. */
export interface MimePart extends PartFields {
  /** The body as it stands in the mail, without the line break before the boundary; null when there is none at all. */
  body: Uint8Array | null
  /** The parts of a multipart, empty for all else. A multipart without any is a part like others, with its text. */
  parts: MimePart[]
  /**
   * For the message itself: bytes that no part shows, without white space. In a multipart they stand outside the parts of any
   * level, or in the header of a part without being a field that parts have. In a uuencoded message it is the whole body.
   */
  outside?: number
}

/** The parts within a part that are no multiparts, in order; itself where it is none. */
export const leavesOf = (part: MimePart): MimePart[] =>
  part.parts.length > 0 ? part.parts.flatMap(leavesOf) : [part]
