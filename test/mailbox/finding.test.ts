import { expect, test } from 'vitest'
import { pdfOf } from '../service/extraction/support/files'
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

test('the text of an attachment is read by the service, and a file without text says why', async () => {
  await using context = await openReal()
  const message = await context.receive({
    attachments: [
      { filename: 'a.txt', content: 'Grüße' },
      { filename: 'b.html', content: '<p>Seen</p><!-- not seen --><script>no</script>' },
      { filename: 'c.csv', content: 'a,b', contentType: 'application/octet-stream' },
      { filename: 'd.pdf', content: '%PDF-1.7' },
      { filename: 'e.pdf', content: pdfOf([[[50, 700, 'one']], [[50, 700, 'two']], [[50, 700, 'three']]]) },
    ],
  })
  const [text, page, table, other, pages] = message.attachments
  expect(await text!.text()).toBe('Grüße')
  expect((await page!.text()).trim()).toBe('Seen')
  expect(await table!.text()).toBe('## c.csv\n\n| a | b |\n| --- | --- |')
  await expect(other!.text()).rejects.toMatchObject({
    code: 'not_text',
    message: expect.stringContaining('unreadable'),
  })
  expect(await pages!.text({ pages: '2-3' })).toBe('[Page 2 of 3]\ntwo\n\n[Page 3 of 3]\nthree')
  expect(await pages!.text({ maxTokens: 2 })).toBe('[Page 1 of 3]\none\n\n[Cut here]')
})
