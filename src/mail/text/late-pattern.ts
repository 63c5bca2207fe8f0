/** A regular expression that is created on first use. */
export type LatePattern = () => RegExp

/**
 * Creates a regular expression on first use. A pattern of many phrases, or of a dozen Unicode classes
 * (`\p{L}`), takes up to half a millisecond. So loading the module stays fast, and most messages need few
 * patterns.
 *
 * @param pattern a text: a literal would be parsed when its file is loaded, even if unused
 */
export function latePattern(pattern: string, flags?: string): LatePattern {
  let made: RegExp | undefined
  return () => {
    made ??= new RegExp(pattern, flags)
    return made
  }
}
