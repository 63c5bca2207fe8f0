import type { PartFields } from './part-fields'

/** A part of a message, or the message itself. */
export interface MimePart extends PartFields {
  /** The raw body without the line break before the boundary; null for none. */
  body: Uint8Array | null
  /** Parts of a multipart; empty for all others. A multipart without any counts as a leaf with its text. */
  parts: MimePart[]
  /**
   * For the message itself: bytes that no part shows, without white space. In a multipart they are outside
   * the parts of any level, or in the header of a part without being a part field. In a uuencoded message it
   * is the whole body.
   */
  outside?: number
}

/** Returns the leaf parts within a part, in order; the part itself if it has none. */
export const leavesOf = (part: MimePart): MimePart[] =>
  part.parts.length > 0 ? part.parts.flatMap(leavesOf) : [part]
