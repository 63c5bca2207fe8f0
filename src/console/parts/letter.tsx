/** Length in characters above which a text is laid out in pieces, as they come into view. */
const maxWhole = 20_000
const pieceLength = 6_000
const lineHeight = 21

/** Splits a text at line ends; a line stays whole at any length. */
function piecesOf(text: string): string[] {
  if (text.length <= maxWhole) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at + pieceLength) + 1 || text.length
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

const heightOf = (text: string) => (text.split('\n').length - 1) * lineHeight

interface LetterProps {
  text: string
  class?: string
}

/** Shows a text with its original line breaks. */
export function Letter({ text, class: more = '' }: LetterProps) {
  const pieces = piecesOf(text)
  return (
    <pre class={`letter ${more}`}>
      {pieces.length === 1
        ? text
        : pieces.map((piece, at) => (
            <span key={at} class="piece" style={{ containIntrinsicHeight: `auto ${heightOf(piece)}px` }}>
              {piece}
            </span>
          ))}
    </pre>
  )
}
