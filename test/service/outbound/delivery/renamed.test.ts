import { expect, it } from 'vitest'
import { renamedTo } from '../../../../src/service/outbound/delivery/reason'

const id = '0102019a1b2c3d4e-01234567-89ab-cdef-0123-456789abcdef-000000'
const sent = { outcome: 'sent', detail: `250 Ok ${id}`, recipient: 'ann@people.example' } as const

it.each([
  ['email-smtp.eu-west-1.amazonaws.com', `<${id}@eu-west-1.amazonses.com>`],
  ['email-smtp-fips.us-west-2.amazonaws.com', `<${id}@us-west-2.amazonses.com>`],
  ['email-smtp.us-east-1.amazonaws.com', `<${id}@email.amazonses.com>`],
  ['mx.example.com', `<${id}@eu-west-1.amazonses.com>`],
  [null, `<${id}@eu-west-1.amazonses.com>`],
])('a mail that goes through %s is called %s', (remote, expected) => {
  expect(renamedTo({ ...sent, remote })).toBe(expected)
})

it('a mail that was not taken has no other name', () => {
  const remote = 'email-smtp.eu-west-1.amazonaws.com'
  expect(renamedTo({ ...sent, outcome: 'deferred', remote })).toBeUndefined()
  expect(renamedTo({ ...sent, detail: '250 Ok queued', remote })).toBeUndefined()
})

const host = 'DB7PR01MB4321.eurprd01.prod.outlook.com'

it.each([
  [`250 2.0.0 OK <a1@${host}> [Hostname=${host}]`, `<a1@${host}>`],
  [`250 2.6.0 <a2@${host}> [InternalId=1, Hostname=${host}] 8 bytes in 0.2 Queued mail`, `<a2@${host}>`],
  ['250 2.0.0 OK: queued as <202611.1@smtp-relay.mailin.fr>', '<202611.1@smtp-relay.mailin.fr>'],
  ['250 2.1.5 <ann@people.example> recipient fine', undefined],
  ['250 OK <ann@people.example>', undefined],
  ['250 2.0.0 Ok: queued as 4F1C2A', undefined],
  ['250 Ok 0199019a1b2c3d4e-01234567-89ab-cdef-0123-456789abcdef-000000', undefined],
])('a relay that says %s has named the message %s', (detail, expected) => {
  expect(renamedTo({ ...sent, detail, remote: 'relay.example' })).toBe(expected)
})
