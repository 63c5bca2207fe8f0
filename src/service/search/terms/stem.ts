import { stemmer } from 'stemmer'

const english = /^[a-z]{3,}$/
const maxKnown = 20_000
const stems = new Map<string, string>()

/** Returns the stem of an English word; other tokens stay unchanged. */
export function stemOf(token: string): string {
  if (!english.test(token)) return token
  const known = stems.get(token)
  if (known !== undefined) return known
  const stem = stemmer(token)
  if (stems.size === maxKnown) stems.clear()
  stems.set(token, stem)
  return stem
}
