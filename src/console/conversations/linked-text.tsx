/** Web addresses in a text, up to a space or a sign that encloses them. */
const addresses = /https?:\/\/[^\s<>"'`]{1,2000}/gi
const ending = /[.,;:!?)\]}*_]$/

/** Returns the URL of a link, with its host as A-label; null if it has a user name, which hides the host. */
function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && url.username === '' && url.password === '' ? url : null
}

/** Splits a text at its web addresses. */
function piecesOf(text: string): (string | URL)[] {
  const pieces: (string | URL)[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(addresses)) {
    let link = found
    while (ending.test(link)) link = link.slice(0, -1)
    const url = urlOf(link)
    if (!url) continue
    pieces.push(text.slice(at, index), url)
    at = index + link.length
  }
  return [...pieces, text.slice(at)]
}

/** Shows a text with links. They show the address that they open, and tell the other site nothing. */
export function LinkedText({ text }: { text: string }) {
  return (
    <pre class="letter">
      {piecesOf(text).map((piece, at) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <a key={at} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
            {piece.href}
          </a>
        ),
      )}
    </pre>
  )
}
