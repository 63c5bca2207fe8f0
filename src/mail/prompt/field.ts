import { singleLine, truncated, visibleText } from '../text'
import { withoutLookAlikes } from './look-alikes'

/**
 * Returns a stranger's text on one line, of bounded length, without invisible characters and fence
 * look-alikes.
 */
export const field = (text: string, length: number): string => {
  const clean = withoutLookAlikes(singleLine(visibleText(text.slice(0, 4 * length)).text)).text
  return clean.length > length ? `${truncated(clean, length)}…` : clean
}
