/** Visible text, and the number of removed characters. */
interface Cleaned {
  text: string
  /** Invisible characters, such as zero-width ones and those of the tag block. */
  invisible: number
  /** Characters that change the display order of text (UAX #9). */
  directional: number
  controls: number
}

const lineEnds = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
const directionalPattern = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const invisiblePattern = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu
// Some scripts and emoji need joiners between characters; elsewhere they hide something.
const joiners = /(?<![^\0-\u024f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\0-\u024f\u200c\u200d])/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const controlsPattern = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g
const loneSurrogates = /\p{Surrogate}/gu

/** Removes invisible characters from a text. Line ends become `\n`. Linear time. */
export function visibleText(text: string): Cleaned {
  const count = { invisible: 0, directional: 0, controls: 0 }
  const counting = (what: keyof typeof count) => () => {
    count[what]++
    return ''
  }
  const visible = text
    .replace(lineEnds, '\n')
    .replace(directionalPattern, counting('directional'))
    .replace(invisiblePattern, counting('invisible'))
    .replace(joiners, counting('invisible'))
    .replace(controlsPattern, counting('controls'))
    .replace(loneSurrogates, '\ufffd')
  return { text: visible, ...count }
}
