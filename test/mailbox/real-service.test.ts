import { Mailbox, type Message } from 'restante'
import { expect, test } from 'vitest'
import { startService } from '../support/service'

test.each(['over the network', 'in process'])('mail is read in thread and gets a reply (%s)', async (how) => {
  await using real = await startService()
  const { url, service, home } = real
  await using mailbox = await Mailbox.open(
    how === 'in process' ? { service } : { url, apiKey: home.apiKey, source: 'socket' },
  )
  const messages = mailbox.incoming()
  await real.mail({ to: mailbox.address, subject: 'Hi', text: 'Hello there' })
  const message = (await messages.next()).value as Message
  expect(message).toMatchObject({ subject: 'Hi', text: 'Hello there', from: { address: 'ana@example.com' } })
  expect((await message.thread()).messages).toHaveLength(1)
  expect((await message.body()).text.trim()).toBe('Hello there')
  expect(new TextDecoder().decode(await message.raw())).toContain('Subject: Hi')
  const sent = await message.reply({ text: 'Yes' })
  expect(sent).toMatchObject({ threadId: message.threadId, idempotent: false })
  const again = await mailbox.messages.get(message.id)
  const clientId = `reply:${message.id}:reply`
  await expect(again.reply({ text: 'No', clientId })).rejects.toMatchObject({ code: 'client_id_conflict' })
  await expect(message.reply({ text: 'Yes' })).rejects.toMatchObject({ code: 'already_replied' })
})

test('a wrong key is refused by the socket and by the interface alike', async () => {
  await using real = await startService()
  const opening = Mailbox.open({ url: real.url, apiKey: 'wrong' })
  await expect(opening).rejects.toMatchObject({ code: 'unauthorized' })
})
