import type { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/ai-sdk'
import { createWorld } from 'restante/testing'
import { createToolbox, runInbox } from 'restante/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse what is tried here
type Loose = any

let world: Awaited<ReturnType<typeof createWorld>>
let mailbox: Mailbox
beforeAll(async () => {
  world = await createWorld()
  mailbox = await world.open()
})
afterAll(() => world[Symbol.asyncDispose]())

test.each<[object, string]>([
  [{ approve: true }, 'approve, if it is no function, is one of none, send, all, not true'],
  [{ approve: 'sent' }, 'not sent: say send'],
  [{ aprove: 'send' }, 'not aprove: say approve'],
  [{ readonly: true }, 'not readonly: say readOnly'],
  [{ readOnly: 'yes' }, 'takes a boolean as readOnly, not string'],
  [{ recipient: ['example.com'] }, 'not recipient: say recipients'],
  [{ attended: 1 }, 'takes a boolean as attended, not number'],
  [{ bananas: 1 }, 'not bananas'],
])('createToolbox(mailbox, %j) is refused in words', (options, words) => {
  const refusal = expect.objectContaining({
    code: 'invalid_options',
    message: expect.stringContaining(words),
  })
  const tried = (call: () => unknown) => {
    try {
      call()
      return null
    } catch (error) {
      return error
    }
  }
  expect(tried(() => createToolbox(mailbox, options as Loose))).toEqual(refusal)
  expect(tried(() => createMailboxTools(mailbox, options as Loose))).toEqual(refusal)
  expect(tried(() => runInbox({ mailbox, ...options } as Loose, async () => ''))).toEqual(refusal)
})
