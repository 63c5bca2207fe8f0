import { Mailbox } from 'restante'
import { expect, test } from 'vitest'
import { openReal } from './support/real'

const signIn = (code: string) => ({
  from: 'login@shop.example',
  subject: `Your code`,
  text: `Your sign-in code is ${code}.`,
})

test('a code and a link are waited for, past mail that has none', async () => {
  await using context = await openReal()
  const { mailbox, real } = context
  const code = mailbox.expect({ from: 'shop.example', kind: 'code', timeoutMs: 15_000 })
  const link = mailbox.expect({ from: 'shop.example', kind: 'link', timeoutMs: 15_000 })
  await real.mail({ from: 'news@shop.example', subject: 'Sale', text: 'Everything must go.' })
  await real.mail({ ...signIn('111222'), from: 'login@other.example' })
  await real.mail(signIn('493817'))
  await real.mail({
    from: 'login@shop.example',
    subject: 'Confirm your address',
    text: 'Confirm your address:\nhttps://shop.example/confirm?token=abc123\n',
  })
  expect(await code.code()).toBe('493817')
  expect(await link.link()).toMatchObject({
    url: 'https://shop.example/confirm?token=abc123',
    from_sender: true,
  })
  await expect(code.link()).rejects.toMatchObject({ code: 'no_link' })
})

test('the answer to a mail is waited for, though it came before anybody asked', async () => {
  await using context = await openReal()
  const { mailbox, real, receive } = context
  const sent = await mailbox.send({ to: 'ana@example.com', subject: 'Lunch?', text: 'At noon?' })
  await receive({ inReplyTo: sent.messageId, subject: 'Re: Lunch?', text: 'Yes' })
  const answer = await mailbox.nextReply(sent, { timeoutMs: 15_000 })
  expect(answer).toMatchObject({ text: 'Yes', threadId: sent.threadId })

  const thread = await answer.thread()
  await thread.reply({ text: 'Which place?' })
  const waiting = thread.nextReply({ timeoutMs: 15_000 })
  const away = { 'auto-submitted': 'auto-replied' }
  await real.mail({ inReplyTo: sent.messageId, subject: 'Away', text: 'I am away', headers: away })
  await real.mail({ inReplyTo: sent.messageId, subject: 'Re: Lunch?', text: 'The usual' })
  expect((await waiting).text).toBe('The usual')
  const [, , , automatic] = (await mailbox.threads.get(thread.id)).messages
  expect((await thread.nextReply({ automatic: true })).id).toBe(automatic?.id)

  const last = (await waiting).thread()
  const token = (await last).nextReply().token!
  await mailbox.close()
  await real.mail({ inReplyTo: sent.messageId, subject: 'Re: Lunch?', text: 'Are you there?' })
  await using later = await Mailbox.open({ service: real.service })
  expect((await later.resumeWait(token, { timeoutMs: 15_000 })).text).toBe('Are you there?')
})

test('a wait for a message that is gone is told so', async () => {
  await using context = await openReal()
  await expect(context.mailbox.nextReply({ id: 'msg_0000000000000000' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
