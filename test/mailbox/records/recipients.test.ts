import { Mailbox, type Recipients, splitRecipients } from 'restante'
import { createToolbox } from 'restante/tools'
import { expect, test } from 'vitest'
import { openReal } from '../support/real'

const ana = 'Ana <ana@example.com>'
const forms: [string, Recipients, string[]][] = [
  ['several in one text', `${ana}, bo@example.com`, ['ana@example.com', 'bo@example.com']],
  ['a name with a comma', '"Doe, Jane" <jane@example.com>', ['jane@example.com']],
  [
    'a name in pieces',
    'Doe, Jane <jane@example.com>; bo@example.com',
    ['jane@example.com', 'bo@example.com'],
  ],
  ['a comma at the end', 'ana@example.com, bo@example.com,', ['ana@example.com', 'bo@example.com']],
  ['a group', 'team: ana@example.com, bo@example.com;', ['ana@example.com', 'bo@example.com']],
  ['an address with a name', { address: 'ana@example.com', name: 'Doe, Ana' }, ['ana@example.com']],
  [
    'all of these in a list',
    [`${ana}, bo@example.com`, { address: 'cy@example.com' }, 'di@example.com'],
    ['ana@example.com', 'bo@example.com', 'cy@example.com', 'di@example.com'],
  ],
]

test('recipients are texts, addresses with names, and lists of both', async () => {
  await using real = await openReal()
  const { mailbox, receive, sentMail } = real
  for (const [what, to, expected] of forms) {
    await mailbox.send({ to, text: 'Hi' })
    expect((await sentMail())[0]!.to, what).toEqual(expected)
  }
  const message = await receive()
  await message.reply({ text: 'Hi', cc: `${ana}, bo@example.com`, replyTo: { address: 'help@example.com' } })
  expect((await sentMail())[0]!.record).toMatchObject({
    cc_addrs: ['bo@example.com'],
    reply_to: ['help@example.com'],
  })
  await message.forward({ to: message.from, cc: 'bo@example.com; cy@example.com' })
  expect((await sentMail())[0]!.cc).toEqual(['bo@example.com', 'cy@example.com'])
  const draft = await mailbox.drafts.create({ to: { address: 'ana@example.com', name: 'Doe, Ana' } })
  await draft.update({ cc: `${ana}, bo@example.com` })
  expect((await mailbox.drafts.get(draft.id)).record).toMatchObject({
    to: ['"Doe, Ana" <ana@example.com>'],
    cc: ['Ana <ana@example.com>', 'bo@example.com'],
  })
})

test('a text that names somebody without an address sends nothing, and no recipient gets lost', async () => {
  await using real = await openReal()
  const { mailbox, sentMail } = real
  const refused: unknown[] = [
    'ana@example.com, bo',
    'bo, ana@example.com',
    'a, b, c, d, e <ana@example.com>',
    'ana@example.com bo@example.com, cy@example.com',
    'ana@example.com: bo@example.com, cy@example.com',
    ', ',
    { address: 'ana@example.com, bo@example.com' },
    { address: 'ana' },
    { address: 'ana@example.com', name: 'bo\uff20example.com' },
    { name: 'Ana' },
    [null],
    `${'x'.repeat(200_000)}, ana@example.com`,
  ]
  for (const to of refused) {
    await expect(
      mailbox.send({ to: to as Recipients, text: 'Hi' }),
      String(to).slice(0, 60),
    ).rejects.toMatchObject({
      code: 'invalid_address',
      message: expect.stringMatching(/^to has .* nothing was sent: write ana@example\.com/),
    })
  }
  expect(await sentMail()).toEqual([])
  expect(await splitRecipients([`${ana}, bo@example.com`])).toEqual([ana, 'bo@example.com'])
})

test('the rule of flow judges each address of a text by itself', async () => {
  await using real = await openReal()
  const { mailbox, receive, sentMail } = real
  const message = await receive({ from: 'Ana <ana@example.com>' })
  const { tools } = createToolbox(mailbox, { message })
  const mail = { to: 'Ana <ana@example.com>, thief@evil.example', subject: 'Hi', text: 'Secret' }
  expect(await tools.send_mail!.needsApproval(mail)).toBe(true)
  expect((await tools.send_mail!.propose(mail))?.to).toEqual(['ana@example.com', 'thief@evil.example'])
  expect(await tools.send_mail!.call(mail)).toMatchObject({ status: 'waiting_for_approval' })
  expect(await sentMail()).toEqual([])
  const open = createToolbox(mailbox, { flow: 'off' }).tools
  expect(await open.send_mail!.call({ ...mail, to: 'bo@example.com, cy@example.com' })).toMatchObject({
    status: 'sent',
  })
  expect((await sentMail())[0]!.to).toEqual(['bo@example.com', 'cy@example.com'])
  expect(await open.send_mail!.call({ ...mail, to: 'bo@example.com, cy' })).toMatchObject({
    error: 'invalid_address',
  })
})

test('a tool refuses a text in which an address could be taken for a name', async () => {
  await using real = await openReal()
  const { tools } = createToolbox(real.mailbox, { flow: 'off' })
  const call = (to: string) => tools.send_mail!.call({ to, subject: 'Hi', text: 'Hi' })
  const refused = [
    'ana@example.com bo@example.com, cy@example.com',
    'ana@example.com\nbo@example.com, cy@example.com',
    'Ana <ana@example.com> Bo <bo@example.com>, cy@example.com',
    'Ana <ana@example.com> Bo <bo@example.com>',
    'bo\uff20example.com ana@example.com, cy@example.com',
    'ana@example.com: bo@example.com, cy@example.com',
    'Ana <ana@example.com>: bo@example.com, cy@example.com',
  ]
  for (const to of refused) expect(await call(to), to).toMatchObject({ error: 'invalid_address' })
  expect(await real.sentMail()).toEqual([])
  expect(await call('"ana@example.com" <Ana@example.com>, bo@example.com')).toMatchObject({ status: 'sent' })
  expect((await real.sentMail())[0]!.to).toEqual(['Ana@example.com', 'bo@example.com'])
})

test('a list gives all its pages, each when it is asked for', async () => {
  await using real = await openReal()
  const { mailbox, receive, service } = real
  for (const subject of ['Late one', 'Late two', 'Late three']) await receive({ subject })
  const subjects: string[][] = []
  for await (const { items } of mailbox.messages.list({ limit: 2 }))
    subjects.push(items.map(({ subject }) => subject))
  expect(subjects).toEqual([['Late three', 'Late two'], ['Late one']])
  const page = await mailbox.messages.list({ limit: 2 })
  expect(Object.keys(page)).toEqual(['items', 'nextCursor'])
  const sizes: number[] = []
  for await (const { items } of page) sizes.push(items.length)
  expect(sizes).toEqual([2, 1])
  const { length } = service.requests
  for await (const _ of mailbox.threads.list({ limit: 1 })) break
  expect(service.requests.slice(length)).toEqual(['GET /threads'])
  const found: string[] = []
  for await (const { items } of mailbox.messages.search('late', { limit: 1 }))
    found.push(...items.map(({ message }) => message.subject))
  expect(found.sort()).toEqual(['Late one', 'Late three', 'Late two'])
  await mailbox.drafts.create({ text: 'One' })
  await mailbox.drafts.create({ text: 'Two' })
  let drafts = 0
  for await (const { items } of mailbox.drafts.list({ limit: 1 })) drafts += items.length
  expect(drafts).toBe(2)
  const bad = mailbox.messages.list({ cursor: 'nonsense' })
  await expect((async () => void (await bad[Symbol.asyncIterator]().next()))()).rejects.toMatchObject({
    code: 'invalid_cursor',
  })
})

test('a mailbox creates inboxes, and reads them', async () => {
  await using real = await openReal()
  const { mailbox, real: service } = real
  const made = await mailbox.inboxes.create({ localPart: 'invoices', name: 'Invoices' })
  expect(made).toEqual({ id: expect.stringMatching(/^inb_/), address: expect.stringMatching(/^invoices@/) })
  expect(mailbox.inboxes.map(({ id }) => id)).toContain(made.id)
  expect(await mailbox.client.inboxes.get({ id: made.id })).toMatchObject({ name: 'Invoices' })
  const twice = { localPart: 'twice', clientId: 'one' }
  expect(await mailbox.inboxes.create(twice)).toEqual(await mailbox.inboxes.create(twice))
  await expect(mailbox.inboxes.create({ local_part: 'x' } as object)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(/say localPart$/),
  })
  await using bound = await Mailbox.open({ service: service.service, inbox: made.address })
  await bound.inboxes.create({ localPart: 'other' })
  expect(bound.inboxes).toEqual([made])
})
