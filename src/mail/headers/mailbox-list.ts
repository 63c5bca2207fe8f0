/** A piece of an address list: a separating or enclosing sign, or the text between two signs. */
interface Token {
  isSign: boolean
  value: string
  /** True for a closing sign with text directly after it. */
  isJoined: boolean
}

/** One mailbox as written; either half may be empty. */
export interface WrittenMailbox {
  address: string
  name: string
}

/** Opening signs and their closing ones. */
const closing: Readonly<Record<string, string>> = { '"': '"', '(': ')', '<': '>', ',': '', ':': ';', ';': '' }
const behind = ' \t\r\n,;'
const maxGroups = 50

/**
 * Parses the mailboxes of an address list (RFC 5322 section 3.4), even a malformed one. Flattens groups. An
 * entry without an address has only its name. Names and addresses are not decoded. Linear time.
 */
export function mailboxesOf(list: string, depth = 0): WrittenMailbox[] {
  if (depth > maxGroups) return []
  const found: WrittenMailbox[] = []
  let entry: Token[] = []
  const finish = () => {
    if (entry.length > 0) for (const one of entryOf(entry, depth)) found.push(one)
    entry = []
  }
  for (const token of tokensOf(list)) {
    if (token.isSign && (token.value === ',' || token.value === ';')) finish()
    else entry.push(token)
  }
  finish()
  return found
}

function tokensOf(list: string): Token[] {
  const tokens: Token[] = []
  let open = ''
  let text = ''
  let isEscaped = false
  const flush = () => {
    if (text.trim()) tokens.push({ isSign: false, value: text.trim(), isJoined: false })
    text = ''
  }
  const sign = (value: string, isJoined: boolean) => {
    flush()
    tokens.push({ isSign: true, value, isJoined })
  }
  for (let at = 0; at < list.length; at++) {
    const character = list[at]!
    const next = list[at + 1]
    if (!isEscaped && character === open) {
      sign(character, next !== undefined && !behind.includes(next))
      open = ''
    } else if (!isEscaped && !open && character in closing) {
      sign(character, false)
      open = closing[character]!
    } else if (!isEscaped && open === '"' && character === '\\') {
      isEscaped = true
      continue
    } else if (character === '\n' || character === '\t' || character >= ' ')
      text += character === '\n' ? ' ' : character
    isEscaped = false
  }
  flush()
  return tokens
}

type Place = 'text' | 'address' | 'comment' | 'group'

/** Pieces of one entry by their place. */
interface Pieces extends Record<Place, string[]> {
  /** For each text, whether it was quoted: an address within quotes is none. */
  quoted: boolean[]
}

function piecesOf(tokens: readonly Token[]): Pieces & { isGroup: boolean } {
  const pieces = { text: [], address: [], comment: [], group: [], quoted: [] } as Pieces
  let place: Place = 'text'
  let isGroup = false
  let isQuoted = false
  for (const [at, { isSign, value }] of tokens.entries()) {
    if (isSign) {
      place = value === '<' ? 'address' : value === '(' ? 'comment' : value === ':' ? 'group' : 'text'
      isGroup ||= value === ':'
      isQuoted = value === '"' && !isQuoted
      continue
    }
    // An unquoted name may have a `<` of its own.
    const written = place === 'address' ? value.replace(/^[^<]*<\s*/, '') : value
    const list = pieces[place]
    if (tokens[at - 1]?.isJoined && list.length > 0) {
      list[list.length - 1] += written
      if (place === 'text' && isQuoted) pieces.quoted[pieces.quoted.length - 1] = true
    } else {
      list.push(written)
      if (place === 'text') pieces.quoted.push(isQuoted)
    }
  }
  return { ...pieces, isGroup }
}

function entryOf(tokens: readonly Token[], depth: number): WrittenMailbox[] {
  const pieces = piecesOf(tokens)
  if (pieces.isGroup) return groupOf(pieces, depth)
  if (pieces.text.length === 0) pieces.text = pieces.comment.splice(0)
  if (pieces.address.length === 0) findAddress(pieces)
  if (pieces.text.length === 0) pieces.text = pieces.comment
  const [address = '', ...others] = pieces.address
  const text = [...pieces.text, ...others].join(' ')
  // Quotes may be around only a part of an address.
  if (address === '') return [text.includes('@') ? { address: text, name: '' } : { address: '', name: text }]
  return [{ address, name: text === '' || text === address ? '' : text }]
}

/** Returns the members of a group, after its label if that has an address: it may be a recipient. */
function groupOf({ text, address, group }: Pieces, depth: number): WrittenMailbox[] {
  const label = [...text, ...address].join(' ')
  const lost = label.includes('@') ? [{ address: '', name: label }] : []
  return [...lost, ...mailboxesOf(group.join(','), depth + 1)]
}

/**
 * Finds an address among texts without brackets: the last text that is one, or the last that contains one.
 */
function findAddress(pieces: Pieces): void {
  const { text, quoted } = pieces
  const whole = text.findLastIndex((one, at) => !quoted[at] && /^[^@\s]+@[^@\s]+$/.test(one))
  if (whole !== -1) {
    pieces.address = text.splice(whole, 1)
    return
  }
  for (let at = text.length - 1; at >= 0; at--) {
    const found = quoted[at] ? null : addressIn(text[at]!)
    if (!found) continue
    const { index, value } = found
    pieces.address = [value]
    text[at] =
      `${text[at]!.slice(0, index).trimEnd()} ${text[at]!.slice(index + value.length).trimStart()}`.trim()
    return
  }
}

/**
 * Finds the first word with an `@` within it, without the signs around it. With words after it, its domain needs a
 * dot: `ann lee@people example` has lost one. Linear time.
 */
function addressIn(text: string): { index: number; value: string } | null {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const at = word.indexOf('@')
    let start = 0
    while (start < at && !/\w/.test(word[start]!)) start++
    let end = word.length
    while (end > at + 1 && !/\w/.test(word[end - 1]!)) end--
    const isLast = text.length === index + word.length
    if (start < at && end > at + 1 && (isLast || word.includes('.', at)))
      return { index: index + start, value: word.slice(start, end) }
  }
  return null
}
