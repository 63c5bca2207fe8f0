/** Bytes to parts: transfer encodings, MIME trees, bodies and attachments (RFC 2045 to 2049). */

export {
  attachmentTypeOf,
  contentTypeOf,
  describeAttachments,
  filenameOf,
  type ParsedAttachment,
} from './attachment'
export { type AttachedPart, bodyPartsOf, type MimeContent, readMime } from './body-parts'
export { endingOfType, typeOfFilename } from './file-type'
export { leavesOf, type MimePart } from './mime-part'
export { contentOf, textOf } from './part-content'
export { readPartTree } from './part-tree'
