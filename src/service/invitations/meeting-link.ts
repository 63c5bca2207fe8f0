/** Hosts of online meetings. */
const hosts =
  /(?:^|\.)(?:zoom\.us|zoom\.com|zoomgov\.com|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|gotomeeting\.com|gotomeet\.me|whereby\.com|meet\.jit\.si|bluejeans\.com|chime\.aws|around\.co|facetime\.apple\.com|discord\.gg|calendly\.com)$/

const maxSearched = 20_000

/** Returns an HTTPS address as the URL parser writes it; null for anything else. */
function httpsOf(text: string): URL | null {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' && url.username === '' ? url : null
  } catch {
    return null
  }
}

/** Finds the address of an online meeting: the first one at a known host in texts in order of trust. */
export function meetingLinkIn(texts: readonly string[]): string | null {
  for (const text of texts)
    for (const [found] of text.slice(0, maxSearched).matchAll(/https:\/\/[^\s<>"'\\]{1,1000}/g)) {
      const url = httpsOf(found.replace(/[).,;\]]{1,5}$/, ''))
      if (url && hosts.test(url.hostname)) return url.href
    }
  return null
}
