import { createWorld } from 'restante/testing'
import { expect, test } from 'vitest'

test('a code and a link are waited for, past mail that has none', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  const code = mailbox.expect({ from: 'shop.example', kind: 'code', timeoutMs: 15_000 })
  const link = mailbox.expect({ from: 'shop.example', kind: 'link', timeoutMs: 15_000 })
  const write = (from: string, text: string) => world.person(from).write({ to: mailbox.address, text })
  await write('news@shop.example', 'Everything must go.')
  await write('login@other.example', 'Your sign-in code is 111222.')
  await write('login@shop.example', 'Your sign-in code is 493817.')
  await write('login@shop.example', 'Confirm your address:\nhttps://shop.example/confirm?token=abc123\n')
  expect(await code.code()).toBe('493817')
  expect(await link.link()).toMatchObject({
    url: 'https://shop.example/confirm?token=abc123',
    from_sender: true,
  })
  await expect(code.link()).rejects.toMatchObject({ code: 'no_link' })
})

test('a wait for a sender does not take mail that another writes in that name', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  const code = mailbox.expect({ from: 'shop.example', kind: 'code', timeoutMs: 60_000 })
  const text = 'Your sign-in code is 111222.'
  await world.person('login@shop.example').write({ to: mailbox.address, text, forged: true })
  const ending = expect(code).rejects.toMatchObject({ code: 'wait_timed_out' })
  await world.advance({ minutes: 1 })
  await ending
})

test('a wait for the answer to a mail takes one that came before the wait began', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  const ana = world.person('ana@example.com')
  const sent = await mailbox.send({ to: ana.address, subject: 'Lunch?', text: 'At noon?' })
  await ana.received()
  await ana.reply({ text: 'Yes', withoutQuote: true })
  const answer = await mailbox.nextReply(sent)
  expect(answer).toMatchObject({ text: 'Yes', threadId: sent.threadId })

  const thread = await answer.thread()
  await thread.reply({ text: 'Which place?' })
  const waiting = thread.nextReply()
  await ana.reply({ text: 'I am away', headers: { 'Auto-Submitted': 'auto-replied' } })
  await ana.reply({ text: 'The usual', withoutQuote: true })
  expect((await waiting).text).toBe('The usual')
  const [, , , automatic] = (await mailbox.threads.get(thread.id)).messages
  expect((await thread.nextReply({ automatic: true })).id).toBe(automatic?.id)

  const token = (await (await waiting).thread()).nextReply().token!
  await mailbox.close()
  await ana.reply({ text: 'Are you there?', withoutQuote: true })
  const later = await world.open()
  expect((await later.resumeWait(token)).text).toBe('Are you there?')
})

test('a wait for the answer to a message that is gone is refused', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  await expect(mailbox.nextReply({ id: 'msg_0000000000000000' })).rejects.toMatchObject({ code: 'not_found' })
})
