import { type Attachment, checkOptions, type OptionNames, UsageError } from 'restante'
import * as z from 'zod'

/** Limits of the pictures that a model sees. */
export interface PictureOptions {
  /** Maximum size of a picture in bytes. Default 4,000,000: some models refuse 5 MB. */
  maxBytes?: number | undefined
  /** Maximum number of pictures in one run. Default 10. */
  maxCount?: number | undefined
  /**
   * Minutes for which a picture counts. By default it counts until the run ends, and with MCP for 10 minutes,
   * since a connection serves many runs.
   */
  countMinutes?: number | undefined
}

const pictureNames: OptionNames<PictureOptions> = {
  ...{ maxBytes: 'number', maxCount: 'number', countMinutes: 'number' },
}

/** Picture for a model. */
export const toolPicture = z.object({
  media_type: z.string(),
  data: z.string().describe('Base64'),
})
/** Picture for a model: its media type, and its bytes in base64. */
export type ToolPicture = z.output<typeof toolPicture>

const mayBePicture = ({ contentType, filename }: Attachment): boolean =>
  /^image\/(?:jpe?g|png|gif|webp)$/.test(contentType) || /\.(?:jpe?g|png|gif|webp)$/i.test(filename ?? '')

/** Returns the media type of a picture by its first bytes; null for a file that models take for none. */
function pictureTypeOf(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\x89PNG')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(start) ? 'image/webp' : null
}

const pieceBytes = 0x6000

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)))
  return text
}

/** Reads pictures for the model of one run, within limits. */
export class Pictures {
  readonly #maxBytes: number
  readonly #maxCount: number
  readonly #countMs: number
  /** Times at which pictures were shown. */
  readonly #shownAt: number[]

  /**
   * @param seen number of pictures that the model of the run has seen
   * @throws UsageError `invalid_options`
   */
  constructor(options: PictureOptions, seen = 0) {
    checkOptions('pictures', options, pictureNames)
    this.#maxBytes = options.maxBytes ?? 4_000_000
    this.#maxCount = options.maxCount ?? 10
    this.#countMs = (options.countMinutes ?? Number.POSITIVE_INFINITY) * 60_000
    this.#shownAt = Array.from({ length: seen }, () => Date.now())
    if (!(this.#maxBytes >= 1) || !(this.#maxCount >= 0) || !(this.#countMs > 0))
      throw new UsageError(
        'invalid_options',
        'pictures takes { maxBytes: 1 or more, maxCount: 0 or more, countMinutes: more than 0 }',
      )
  }

  /**
   * Returns a file as a picture; null if it is none.
   *
   * @throws UsageError `picture_too_large`, `too_many_pictures`
   */
  async read(file: Attachment, signal: AbortSignal | undefined): Promise<ToolPicture | null> {
    if (!mayBePicture(file)) return null
    this.#checkSize(file.size)
    const since = Date.now() - this.#countMs
    const count = this.#shownAt.filter((time) => time > since).length
    if (count >= this.#maxCount)
      throw new UsageError(
        'too_many_pictures',
        `you saw ${count} pictures, which is the limit: go on without this one, or tell the person who asked you`,
      )
    // Counted before it is read: several calls may run at once.
    this.#shownAt.push(Date.now())
    let picture: ToolPicture | null = null
    try {
      picture = await this.#picture(file, signal)
    } finally {
      if (picture === null) this.#shownAt.pop()
    }
    return picture
  }

  async #picture(file: Attachment, signal: AbortSignal | undefined): Promise<ToolPicture | null> {
    const bytes = await file.content({ signal })
    // The size of a file in an archive is what the archive says.
    this.#checkSize(bytes.length)
    const media_type = pictureTypeOf(bytes)
    return media_type === null ? null : { media_type, data: base64Of(bytes) }
  }

  #checkSize(size: number): void {
    if (size <= this.#maxBytes) return
    throw new UsageError(
      'picture_too_large',
      `the picture has ${size} bytes, and ${this.#maxBytes} is the limit: ask its sender for a smaller one`,
    )
  }
}
