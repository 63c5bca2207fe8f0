import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyPair } from '../../src/service/domains/ports'

/** More than a test has of one domain. */
const maxPairs = 6

const generate = promisify(generateKeyPair)
const pairs: Promise<KeyPair>[] = []
let given = 0

/** Hands out a few keys in turn: of all that a service does, to make one costs the most. */
export function makeKeyPair(): Promise<KeyPair> {
  given += 1
  pairs[given % maxPairs] ??= generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return pairs[given % maxPairs]!
}
