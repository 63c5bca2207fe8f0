import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type BodyForm, bodyHash } from '../../../../src/service/inbound/authentication/body-hash'

const hashOf = (text: string) => ({
  hash: createHash('sha256').update(text, 'latin1').digest('base64'),
  length: text.length,
})

describe('the hash of a body', () => {
  it.each<[BodyForm, string, string]>([
    // The examples of RFC 6376 section 3.4.5.
    ['relaxed', ' C \r\nD \t E\r\n\r\n\r\n', ' C\r\nD E\r\n'],
    ['simple', ' C \r\nD \t E\r\n\r\n\r\n', ' C \r\nD \t E\r\n'],
    ['relaxed', '', ''],
    ['simple', '', '\r\n'],
    ['relaxed', ' \t\r\n\r\n', ''],
    ['simple', '\r\n\r\n', '\r\n'],
    ['relaxed', '\r\n\r\na', '\r\n\r\na\r\n'],
    ['relaxed', 'a \t', 'a\r\n'],
    ['simple', 'a\nb\n\n', 'a\r\nb\r\n'],
    ['simple', 'a\rb\r', 'a\rb\r\r\n'],
    ['relaxed', `${'x'.repeat(70_000)} \r\n`, `${'x'.repeat(70_000)}\r\n`],
    ['simple', `${'\r\n'.repeat(70_000)}x`, `${'\r\n'.repeat(70_000)}x\r\n`],
  ])('in the form %s is that of its canonical bytes: %j', (form, body, canonical) => {
    expect(bodyHash(Buffer.from(body, 'latin1'), form)).toEqual(hashOf(canonical))
  })
})
