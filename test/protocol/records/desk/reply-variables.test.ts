import { expect, it } from 'vitest'
import {
  fillReply,
  unknownVariables,
  variablesIn,
} from '../../../../src/protocol/records/desk/reply-variables'

it('variables are filled in, with or without spaces', () => {
  const values = { name: 'Ana Lee', subject: 'Lamp', operator: 'Dana' }
  expect(fillReply('Dear {{name}}, about {{ subject }}: {{operator}}', values)).toBe(
    'Dear Ana Lee, about Lamp: Dana',
  )
})

it('a variable without a value stays, so that a person sees it', () => {
  expect(fillReply('{{name}} {{first_name}} {{other}}', { name: '', first_name: null })).toBe(
    '{{name}} {{first_name}} {{other}}',
  )
})

it('values of strangers are one short line, and no text with variables', () => {
  const values = { name: '{{address}}\r\nBcc: eva', address: 'ana@example.com', subject: 'x'.repeat(1_000) }
  expect(fillReply('{{name}}', values)).toBe('{{address}} Bcc: eva')
  expect(fillReply('{{subject}}', values)).toBe('x'.repeat(200))
  expect(fillReply('{{name}}', { name: "$& $1 $'" })).toBe("$& $1 $'")
})

it('unknown variables are found', () => {
  expect(unknownVariables('{{name}} {{x}} {{ y }} {{1}} {z}')).toEqual(['x', 'y'])
})

it('variables that nobody filled are found, each once', () => {
  expect(variablesIn('{{name}}, {{ name }} {{operator}} {{other}} {name}')).toEqual(['name', 'operator'])
})
