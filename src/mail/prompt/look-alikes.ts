import { singleLine, truncated } from '../text/safe-text'
import { visibleText } from '../text/visible-text'

/**
 * Returns a stranger's text on one line, of bounded length, without invisible characters and fence
 * look-alikes.
 */
export const field = (text: string, length: number): string => {
  const clean = withoutLookAlikes(singleLine(visibleText(text.slice(0, 4 * length)).text)).text
  return clean.length > length ? `${truncated(clean, length)}…` : clean
}

/** Signs of other scripts that look like ASCII: each group starts with the sign that the others imitate. */
const shapes = new Map(
  (
    'aаαɑᴀ bЬƄʙ cсϲᴄ dԁᴅ eеєҽεᴇ fƒꜰ gɡցɢԍ hһհʜ iіıιɩɪӏ jјᴊ kкκᴋ lǀӀʟ mмᴍ nпոηɴ oоοօσᴏ pрρᴘ qԛգ ' +
    'rгᴦʀ sѕꜱ tтτᴛ uυսᴜ vѵνᴠ wѡԝᴡ xхχ yуγүʏ zᴢ AАΑᎪ BВΒᏴ CСϹᏟ DᎠ EЕΕᎬ HНΗᎻ IІΙ JЈᎫ KКΚ LᏞ MМΜᎷ ' +
    'NΝ OОΟ PРΡᏢ RᎡ SЅՏᏚ TТΤᎢ UՍ VѴᏙ WԜᎳ XХΧ YҮΥ ZΖᏃ <❮≪⟨ᐸ˂⧼ >❯≫⟩ᐳ˃⧽➤ «‹《〈⟪ »›》〉⟫ |¦│∣┃❘ :∶꞉ː։׃⁚ ' +
    '/∕⁄⧸ [【〔⟦⁅ ]】〕⟧⁆'
  )
    .split(' ')
    .flatMap((group) => [...group.slice(1)].map((one): [string, string] => [one, group[0]!])),
)
const ascii = /^[\0-\x7f]*$/
const unseen = /^[\p{M}\p{Default_Ignorable_Code_Point}]+$/u
const maxKnown = 5_000
const known = new Map<string, string>()

/** Returns the replacement of a mark. */
type Instead = (written: string) => string

const parted: Instead = (written) => `${written} `
const roles =
  '(?:system|assistant|user|human|developer|(?:tool|function)(?:[ _-](?:results?|outputs?|responses?|calls?))?)'

/** Marks, in the ASCII signs that they look like. */
const marks: readonly (readonly [RegExp, Instead])[] = [
  // Marks of a fence.
  [/[<«]{2,12}(?=\s{0,3}\/?\s{0,3}mail)/gi, () => '< '],
  [/\bmail(?=:[\s\da-f]{0,3}[\da-f]{4})/gi, parted],
  [/[>»]{3,12}(?=[ \t]{0,9}$)/gm, () => '> '],
  // Marks that models may take as the start or end of a turn, or as the output of a tool.
  [/<(?=\|)/g, parted],
  [/\|(?=>)/g, parted],
  [/\[(?=\/?INST\])/gi, parted],
  [/<(?=<\/?SYS>>)/gi, parted],
  [
    /<(?=\/?(?:system|user|assistant|human|developer|instructions?|(?:start|end)_of_turn|(?:tool|function)(?:_\w{1,20}|s?(?=>)))\b)/gi,
    parted,
  ],
  [new RegExp(`^[ \\t#>*_-]{0,9}${roles}(?=[*_]{0,2}:)`, 'gim'), parted],
]

/** A text as it looks, with the original index of each character. */
interface Shape {
  text: string
  /** Null if all indexes are the same. */
  from: Uint32Array | null
}

/**
 * Breaks marks that look like a fence or a chat turn with a blank, in any look-alike letters; returns their
 * number.
 */
export function withoutLookAlikes(text: string): { text: string; broken: number } {
  const shape = shapeOf(text)
  const place = (at: number) => (shape.from ? (shape.from[at] ?? text.length) : at)
  const found = marks
    .flatMap(([pattern, instead]) =>
      [...shape.text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
        start: place(index),
        end: place(index + length),
        instead,
      })),
    )
    .sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let end = 0
  let broken = 0
  for (const mark of found) {
    if (mark.start < end) continue
    parts.push(text.slice(end, mark.start), mark.instead(text.slice(mark.start, mark.end)))
    end = mark.end
    broken++
  }
  return { text: parts.join('') + text.slice(end), broken }
}

// No array of all characters: one that grows beyond 128 KB costs V8 twenty times as much as the characters do.
function shapeOf(text: string): Shape {
  if (ascii.test(text)) return { text, from: null }
  let shape = ''
  let isMoved = false
  let copied = 0
  let at = 0
  for (const one of text) {
    const seen = lookOf(one)
    const end = at + one.length
    if (seen !== one) {
      shape += text.slice(copied, at) + seen
      isMoved ||= seen.length !== one.length
      copied = end
    }
    at = end
  }
  shape += text.slice(copied)
  return { text: shape, from: isMoved ? originsOf(text, shape.length) : null }
}

/** Returns the index in a text of each character of its shape. */
function originsOf(text: string, length: number): Uint32Array {
  const from = new Uint32Array(length)
  let at = 0
  let end = 0
  for (const one of text) {
    const next = end + lookOf(one).length
    while (end < next) from[end++] = at
    at += one.length
  }
  return from
}

/** Returns the sign that a character looks like: itself if it imitates none, empty if it is invisible. */
function lookOf(one: string): string {
  if (one < '\x80') return one
  const before = known.get(one)
  if (before !== undefined) return before
  const plain = [...one.normalize('NFKD').replace(/\p{M}+/gu, '')]
  const looks = plain.map((part) => shapes.get(part) ?? part).join('')
  const look = unseen.test(one) ? '' : /^[\x20-\x7e«»]+$/.test(looks) ? looks : one
  if (known.size < maxKnown) known.set(one, look)
  return look
}
