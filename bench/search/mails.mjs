// Mails that differ, the same in every run: few words are in many, many in few, as in any language.

export const vocabulary = 50_000

function seeded(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Draw a word: the first comes in nearly every mail of 210 words, the twelfth in a third, those at the end in two of a thousand. */
const word = (random) => `word${Math.floor(vocabulary * (random(1_000_000) / 1_000_000) ** 3)}`

/** The mail of a number, to an address, of so many lines. */
export function mailAt(i, address, lines = 20) {
  const random = seeded(i + 1)
  const line = () => Array.from({ length: 10 }, () => word(random)).join(' ')
  const body = Array.from({ length: lines }, line).join('\r\n')
  const person = `person${random(500)}`
  return `From: ${person} <${person}@example.com>\r\nTo: ${address}\r\nSubject: ${line()}\r\nMessage-ID: <fill-${i}@example.com>\r\n\r\n${body}\r\n`
}
