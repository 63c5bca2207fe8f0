import { namedId } from './content-ids'
import { readHtml } from './html/html-to-text'
import type { AttachedPart } from './mime/body-parts'
import type { MimePart } from './mime/mime-part'
import { contentOf } from './mime/part-content'
import { type PictureSize, pictureSize } from './mime/picture-size'
import { type ReplyOptions, splitReply } from './text/reply-text'

/** A picture without a longer side is an icon. */
const maxIconSide = 64
/** A picture with a shorter side is a line or a counter. */
const minSide = 8
/** From this length of both sides, a picture in a signature may be a photo: phones put it there. */
const minPhotoSide = 400
/** Pictures of one message that are looked for. */
const maxPictures = 200

const isTiny = ({ width, height }: PictureSize): boolean =>
  Math.max(width, height) <= maxIconSide || Math.min(width, height) < minSide

const mayBePhoto = ({ width, height }: PictureSize): boolean => Math.min(width, height) >= minPhotoSide

const pictureExtensions = ['jpg', 'jpeg', 'png', 'gif', 'webp']

/** Returns whether type and name say that a part is a picture: its first bytes may be those of two formats. */
function isPicture({ type, name }: MimePart): boolean {
  const dot = name?.lastIndexOf('.') ?? -1
  const isNamedSo = dot < 0 || pictureExtensions.includes(name!.slice(dot + 1).toLowerCase())
  return isNamedSo && /^image\/(?:jpe?g|png|gif|webp)$/.test(type)
}

/** Mark that stands for a picture in the text of a page. */
const markOf = (index: number): string => `\ue000${index}\ue001`
const marks = /\ue000(\d{1,4})\ue001/g
const marksIn = (text: string): Set<number> => new Set([...text.matchAll(marks)].map(([, at]) => Number(at)))

/**
 * Finds the pictures that belong to the layout of a message: the HTML names them by `cid:`, and they are tiny,
 * or all their places are in a signature or a quote. Returns their positions.
 */
export function decorativeAmong(
  attachments: readonly AttachedPart[],
  html: string | null,
  contentIds: readonly (string | null)[],
  options: ReplyOptions,
): ReadonlySet<number> {
  const sizes = new Map<number, PictureSize>()
  if (html === null || !/cid:/i.test(html)) return new Set()
  const places = new Map<string, number>()
  for (const [index, { part }] of attachments.entries()) {
    const id = contentIds[index]
    const mayBe = id && sizes.size < maxPictures && isPicture(part)
    const size = mayBe ? pictureSize(contentOf(part)) : null
    if (!id || !size) continue
    sizes.set(index, size)
    places.set(id, index)
  }
  if (places.size === 0) return new Set()
  const named = new Set<number>()
  const { text } = readHtml(html, undefined, 1, (address) => {
    const index = places.get(namedId(address) ?? '')
    if (index === undefined) return null
    named.add(index)
    return markOf(index)
  })
  const { reply, signature } = splitReply(text, options)
  const [written, signed, shown] = [marksIn(reply), marksIn(signature), marksIn(text)]
  const isDecorative = (index: number): boolean => {
    const size = sizes.get(index)!
    if (isTiny(size)) return true
    if (written.has(index) || !shown.has(index)) return false
    return !(signed.has(index) && mayBePhoto(size))
  }
  return new Set([...named].filter(isDecorative))
}
