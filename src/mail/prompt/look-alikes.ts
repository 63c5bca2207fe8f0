/** Signs of other scripts that look like ASCII: each group begins with the sign that its others pass for. */
const SHAPES = new Map(
  (
    'aаαɑᴀ bЬƄʙ cсϲᴄ dԁᴅ eеєҽεᴇ fƒꜰ gɡցɢԍ hһհʜ iіıιɩɪӏ jјᴊ kкκᴋ lǀӀʟ mмᴍ nпոηɴ oоοօσᴏ pрρᴘ qԛգ ' +
    'rгᴦʀ sѕꜱ tтτᴛ uυսᴜ vѵνᴠ wѡԝᴡ xхχ yуγүʏ zᴢ AАΑᎪ BВΒᏴ CСϹᏟ DᎠ EЕΕᎬ HНΗᎻ IІΙ JЈᎫ KКΚ LᏞ MМΜᎷ ' +
    'NΝ OОΟ PРΡᏢ RᎡ SЅՏᏚ TТΤᎢ UՍ VѴᏙ WԜᎳ XХΧ YҮΥ ZΖᏃ <❮≪⟨ᐸ˂⧼ >❯≫⟩ᐳ˃⧽➤ «‹《〈⟪ »›》〉⟫ |¦│∣┃❘ :∶꞉ː։׃⁚ ' +
    '/∕⁄⧸ [【〔⟦⁅ ]】〕⟧⁆'
  )
    .split(' ')
    .flatMap((group) => [...group.slice(1)].map((one): [string, string] => [one, group[0]!])),
)
const ASCII = /^[\0-\x7f]*$/
const UNSEEN = /^[\p{M}\p{Default_Ignorable_Code_Point}]+$/u
const MAX_KNOWN = 5_000
const known = new Map<string, string>()

/** Gives what stands in place of a mark. */
type Instead = (written: string) => string

const parted: Instead = (written) => `${written} `
const ROLES =
  '(?:system|assistant|user|human|developer|(?:tool|function)(?:[ _-](?:results?|outputs?|responses?|calls?))?)'

/** Marks, in the signs that they look like. */
const MARKS: readonly (readonly [RegExp, Instead])[] = [
  // The marks of a fence.
  [/[<«]{2,12}(?=\s{0,3}\/?\s{0,3}mail)/gi, () => '< '],
  [/\bmail(?=:[\s\da-f]{0,3}[\da-f]{4})/gi, parted],
  [/[>»]{3,12}(?=[ \t]{0,9}$)/gm, () => '> '],
  // What models take for the end of a turn, for its beginning, or for what a tool gave.
  [/<(?=\|)/g, parted],
  [/\|(?=>)/g, parted],
  [/\[(?=\/?INST\])/gi, parted],
  [/<(?=<\/?SYS>>)/gi, parted],
  [
    /<(?=\/?(?:system|user|assistant|human|developer|instructions?|(?:start|end)_of_turn|(?:tool|function)(?:_\w{1,20}|s?(?=>)))\b)/gi,
    parted,
  ],
  [new RegExp(`^[ \\t#>*_-]{0,9}${ROLES}(?=[*_]{0,2}:)`, 'gim'), parted],
]

/** A text as it looks, and where each of its signs was written. */
interface Shape {
  text: string
  /** Null where each stands where it was written. */
  from: readonly number[] | null
}

/** Breaks what looks like the marks of a fence or of a chat by a blank, in whatever letters; how many is told. */
export function withoutLookAlikes(text: string): { text: string; broken: number } {
  const shape = shapeOf(text)
  const place = (at: number) => (shape.from ? (shape.from[at] ?? text.length) : at)
  const found = MARKS.flatMap(([pattern, instead]) =>
    [...shape.text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      start: place(index),
      end: place(index + length),
      instead,
    })),
  ).sort((a, b) => a.start - b.start)
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

function shapeOf(text: string): Shape {
  if (ASCII.test(text)) return { text, from: null }
  const parts: string[] = []
  const from: number[] = []
  let at = 0
  for (const one of text) {
    const seen = one < '\x80' ? one : lookOf(one)
    parts.push(seen)
    for (let index = 0; index < seen.length; index++) from.push(at)
    at += one.length
  }
  return { text: parts.join(''), from }
}

/** The sign that another looks like; itself where there is none, nothing where it is not seen. */
function lookOf(one: string): string {
  const before = known.get(one)
  if (before !== undefined) return before
  const plain = [...one.normalize('NFKD').replace(/\p{M}+/gu, '')]
  const looks = plain.map((part) => SHAPES.get(part) ?? part).join('')
  const look = UNSEEN.test(one) ? '' : /^[\x20-\x7e«»]+$/.test(looks) ? looks : one
  if (known.size < MAX_KNOWN) known.set(one, look)
  return look
}
