const MAX_ID_LENGTH = 900
const MAX_REPLY_REFERENCES = 30
const MAX_STORED_REFERENCES = 100

/**
 * Finds the message ids in a Message-ID, In-Reply-To or References value (RFC 5322 §3.6.4) in one pass, with
 * brackets, in order, without repetitions. Where no brackets are used at all, words with an `@` count.
 */
export function extractMessageIds(value: string): string[] {
  const ids = value.includes('<') ? bracketedIds(value) : bareIds(value)
  return [...new Set(ids)]
}

/** Reads the ids of a References value: at most 100, the first (it names the thread) and the last 99. */
export function extractReferences(value: string): string[] {
  return firstAndLast(extractMessageIds(value), MAX_STORED_REFERENCES)
}

/**
 * Gives the References of a reply (RFC 5322 §3.6.4): those of the parent and its own id, at most 30: the first and the
 * last 29.
 */
export function referencesForReply(parent: {
  rfc822MessageId: string | null
  references: string[]
}): string[] {
  const own = parent.rfc822MessageId ? extractMessageIds(parent.rfc822MessageId) : []
  const earlier = parent.references.flatMap(extractMessageIds).filter((id) => !own.includes(id))
  return firstAndLast([...new Set([...earlier, ...own])], MAX_REPLY_REFERENCES)
}

/**
 * Makes a Message-ID of a random part, which the caller chooses, and a domain (RFC 5322 §3.6.4).
 *
 * @throws TypeError when a part holds characters that an id may not have.
 */
export function makeMessageId(random: string, domain: string): string {
  if (!/^[\w.-]+$/.test(random) || !/^[\w.-]+$/.test(domain)) {
    throw new TypeError('A message id takes letters, digits, dots and hyphens on both sides of the @.')
  }
  return `<${random}@${domain}>`
}

function bracketedIds(value: string): string[] {
  const ids: string[] = []
  let start = -1
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === '<') start = at + 1
    else if (character === '>' && start >= 0) {
      ids.push(value.slice(start, at))
      start = -1
    }
  }
  return ids.flatMap(toId)
}

function bareIds(value: string): string[] {
  return value
    .split(/[\s,;"]+/)
    .filter((word) => word.includes('@'))
    .flatMap(toId)
}

// Programs that fold at a fixed width break ids in two: white space within the brackets is not theirs.
function toId(inner: string): string[] {
  if (inner.length > MAX_ID_LENGTH) return []
  const id = inner.replace(/\s+/g, '')
  return /^[^\p{C}<>]+$/u.test(id) ? [`<${id}>`] : []
}

function firstAndLast(ids: string[], count: number): string[] {
  if (ids.length <= count) return ids
  return [...ids.slice(0, 1), ...ids.slice(1 - count)]
}
