import { createToolbox, type Toolbox } from 'restante/tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { openReal } from '../mailbox/support/real'

/** Tokens of what a model is told of tools. */
const tokensOf = (tools: Toolbox['tools']) => {
  const reported = Object.values(tools).map(({ name, description, input }) => ({
    type: 'function',
    function: { name, description, parameters: z.toJSONSchema(input, { io: 'input' }) },
  }))
  // Schemas have 4.2 characters a token (o200k_base), and fewer elsewhere.
  return JSON.stringify(reported).length / 3.9
}

test('the tools that an inbox gives its agent cost it 1,900 tokens at most, and all of them 2,400', async () => {
  await using real = await openReal()
  const message = await real.receive()
  const { tools } = createToolbox(real.mailbox, { message })
  expect(Object.keys(tools)).toContain('no_answer_needed')
  expect(tokensOf(tools)).toBeLessThanOrEqual(1_900)
  const only = ['no_answer_needed', 'hand_over'] as const
  const whole = { ...createToolbox(real.mailbox).tools, ...createToolbox(real.mailbox, { only }).tools }
  expect(Object.keys(whole)).toHaveLength(21)
  expect(tokensOf(whole)).toBeLessThanOrEqual(2_400)
})

test('a tool refuses a field that it does not know, and names those like it', async () => {
  await using real = await openReal()
  const { tools } = createToolbox(real.mailbox)
  const refusalOf = async (name: keyof typeof tools, input: object) => {
    const output = await tools[name]!.call(input)
    expect(output).toMatchObject({ status: 'refused', error: 'invalid_input' })
    return (output as { message: string }).message
  }
  expect(await refusalOf('search_mail', { folder: 'inbox' })).toMatch(
    /there is no "folder": did you mean label or inbox\?.*There is query, from, to,/,
  )
  expect(await refusalOf('read_message', { message_id: 'm1' })).toContain('did you mean message?')
  expect(await refusalOf('search_mail', { colour: 'blue' })).toMatch(/there is no "colour"\. There is query/)
  expect(await refusalOf('account_status', { verbose: true })).toContain('There is nothing to give')
  const mail = { to: 'ana@example.com', subject: 'Hi', text: 'Hello' }
  const files = [{ name: 'a.txt', text: 'A' }]
  expect(await refusalOf('send_mail', { ...mail, attachments: files })).toContain('did you mean filename?')
  expect(await refusalOf('send_mail', { ...mail, subject: 'x'.repeat(1_001) })).toContain('1000 characters')
  expect(await real.sentMail()).toEqual([])
})
