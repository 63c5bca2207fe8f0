import { expect, test } from 'vitest'
import { openReal } from './support/real'

test('messages are found by words, sender, recipient, subject and files', async () => {
  await using context = await openReal()
  const { mailbox, receive } = context
  const offer = await receive({
    subject: 'An offer',
    attachments: [{ filename: 'offer.txt', content: 'Ten.' }],
  })
  const note = await receive({
    from: 'Bo <bo@other.example>',
    subject: 'A note',
    text: 'The bicycle is blue.',
  })
  const found = async (options: Parameters<typeof mailbox.messages.list>[0]) =>
    (await mailbox.messages.list(options)).items.map(({ id }) => id)
  expect(await found({ query: 'bicycle' })).toEqual([note.id])
  expect(await found({ from: 'example.com' })).toEqual([offer.id])
  expect(await found({ to: 'nobody@example.com' })).toEqual([])
  expect(await found({ subject: 'note' })).toEqual([note.id])
  expect(await found({ hasAttachment: true })).toEqual([offer.id])
  expect(await found({ hasAttachment: false })).toEqual([note.id])

  const { items: threads } = await mailbox.threads.list()
  for (const { handle, id } of threads) expect((await mailbox.threads.get(handle)).id).toBe(id)
})

test('the text of an attachment is read where it is text', async () => {
  await using context = await openReal()
  const message = await context.receive({
    attachments: [
      { filename: 'a.txt', content: 'Grüße' },
      { filename: 'b.html', content: '<p>Seen</p><!-- not seen --><script>no</script>' },
      { filename: 'c.csv', content: 'a,b', contentType: 'application/octet-stream' },
      { filename: 'd.pdf', content: '%PDF-1.7' },
    ],
  })
  const [text, page, table, other] = message.attachments
  expect(await text!.text()).toBe('Grüße')
  expect((await page!.text()).trim()).toBe('Seen')
  expect(await table!.text()).toBe('a,b')
  await expect(other!.text()).rejects.toMatchObject({ code: 'not_text' })
})
