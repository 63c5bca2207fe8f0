/** A regular expression that is made when it is first asked for. */
export type LatePattern = () => RegExp

/**
 * Makes a regular expression when it is first asked for. One of many phrases takes up to half a millisecond to make, and
 * so does one with a dozen classes of Unicode (`\p{L}`): who loads this waits for none of them, and most mail needs few.
 *
 * @param pattern a text: a literal is parsed when its file is loaded, even if nobody uses it
 */
export function latePattern(pattern: string, flags?: string): LatePattern {
  let made: RegExp | undefined
  return () => {
    made ??= new RegExp(pattern, flags)
    return made
  }
}
