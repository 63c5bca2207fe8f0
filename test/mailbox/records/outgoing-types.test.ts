import { expect, test } from 'vitest'
import { parseAddressList } from '../../../src/mail/headers/address-list'
import { openReal } from '../support/real'

test('text that is given as a string leaves as UTF-8, and a File keeps its charset', async () => {
  await using world = await openReal()
  const { mailbox, real } = world
  const latin = new File([Uint8Array.from([0xfc])], 'b.csv', { type: 'text/csv; charset=iso-8859-1' })
  const { id } = await mailbox.send({
    to: 'ana@example.com',
    text: 'Hi',
    attachments: [{ filename: 'a.txt', content: 'Grüße' }, { content: latin }],
  })
  const raw = (await real.call('GET', `/messages/${id}/raw`)).body as string
  expect(raw).toMatch(/Content-Type: text\/plain; charset=utf-8; name=a\.txt/)
  expect(raw).toMatch(/Content-Type: text\/csv; charset=iso-8859-1; name=b\.csv/)
})

test('an address in single quotes, as Outlook writes it, is the address within them', () => {
  const [first, second] = parseAddressList(
    "'ana@people.example', \"'bo@people.example'\" <'bo@people.example'>",
  )
  expect([first?.address, second?.address]).toEqual(['ana@people.example', 'bo@people.example'])
})
