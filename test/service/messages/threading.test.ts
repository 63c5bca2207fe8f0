import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openForJumps, openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

interface Sent {
  id: string
  references: string[]
}

let runs = 0

/** Some conversations, each a tree in which every mail refers to the way down to it, or only to its parent. */
function conversations(run: number): Sent[][] {
  const id = (name: string) => `<${name}.${run}@example.com>`
  const chain = (prefix: string, whole: boolean): Sent[] =>
    [0, 1, 2, 3].map((at) => ({
      id: id(`${prefix}${at}`),
      references: (whole ? [0, 1, 2].slice(0, at) : at > 0 ? [at - 1] : []).map((one) =>
        id(`${prefix}${one}`),
      ),
    }))
  const branch = { id: id('a1b'), references: [id('a0')] }
  return [[...chain('a', true), branch], chain('b', false)]
}

/** The same list in another order, the same for the same seed. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  const rest = [...list]
  let state = seed
  return list.map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return rest.splice(state % rest.length, 1)[0]!
  })
}

describeDatabases('threads', (openDatabase) => {
  const { service, database } = useService(openDatabase, openService, perBlock)
  const send = ({ id, references }: Sent, more: object = {}) =>
    service.mail({ messageId: id, references, text: `I am ${id}`, ...more })
  const messages = async (
    query = '',
  ): Promise<{ id: string; thread_id: string; rfc822_message_id: string; created_seq: number }[]> =>
    (await service.call('GET', `/messages?limit=100${query}`)).body.messages
  const threadOf = async (id: string) =>
    (await messages()).find((one) => one.rfc822_message_id === id)!.thread_id
  const thread = (id: string) => service.call('GET', `/threads/${id}`)

  it.each([1, 2, 3, 4, 5])('are the same in whatever order their mail comes (%i)', async (seed) => {
    const run = ++runs
    const known = conversations(run)
    for (const mail of shuffled(known.flat(), seed)) await send(mail)
    const found = await messages()
    const threads = known.map((one) => {
      const ids = one.map(({ id }) => found.find((row) => row.rfc822_message_id === id)!.thread_id)
      return [...new Set(ids)]
    })
    expect(threads.map((ids) => ids.length)).toEqual([1, 1])
    expect(threads[0]).not.toEqual(threads[1])
    const { events } = (await service.call('GET', '/events?after=0&limit=500')).body
    type Told = { type: string; seq: number; data: { id: string } }
    for (const [at, [id]] of threads.entries()) {
      const members = found.filter(({ thread_id }) => thread_id === id)
      for (const one of members) {
        const reported = events.find(
          ({ type, data }: Told) => type === 'message.received' && data.id === one.id,
        )
        expect([reported.seq, reported.data.created_seq]).toEqual([one.created_seq, one.created_seq])
      }
      const newest = members.reduce((a, b) => (a.created_seq > b.created_seq ? a : b))
      expect((await thread(id!)).body).toMatchObject({
        ...{ id, message_count: known[at]!.length, last_message_id: newest.id },
        last_message_created_seq: newest.created_seq,
      })
    }
  })

  it('become one under the older id when a parent comes late, and the other id leads there for good', async () => {
    const [one, two, parent] = ['m1', 'm2', 'm3'].map((name) => `<${name}.${++runs}@example.com>`) as [
      string,
      string,
      string,
    ]
    const root = `<root.${runs}@example.com>`
    const to = [service.home.address, 'Cy <cy@example.com>']
    await send({ id: one, references: [parent] }, { from: 'Ana <ana@example.com>', to })
    await send({ id: two, references: [root] }, { from: 'Bo <bo@example.com>', to })
    const [kept, merged] = [await threadOf(one), await threadOf(two)]
    expect(kept).not.toBe(merged)
    const after = (await service.call('GET', '/events?after=now')).body.to
    await send({ id: parent, references: [root] }, { from: 'Cy <cy@example.com>' })
    const { events } = (await service.call('GET', `/events?after=${after}`)).body
    expect(events.map((event: { type: string }) => event.type)).toEqual([
      'thread.merged',
      'thread.updated',
      'message.received',
    ])
    expect(events[0].data).toMatchObject({ id: kept, merged_id: merged, message_count: 2 })
    expect((await thread(merged)).body).toMatchObject({
      id: kept,
      message_count: 3,
      participants: expect.arrayContaining(['ana@example.com', 'bo@example.com', 'cy@example.com']),
    })
    expect(await messages(`&thread_id=${merged}`)).toHaveLength(3)
    expect(await messages(`&thread_id=${kept}`)).toHaveLength(3)
    await service.call('DELETE', `/threads/${merged}`)
    expect([(await thread(merged)).status, (await thread(kept)).status]).toEqual([404, 404])
    expect(await messages(`&thread_id=${kept}`)).toEqual([])
  })

  it('leave no alias behind once their inbox is deleted', async () => {
    const inbox = (await service.call('POST', '/inboxes', { body: {} })).body
    const id = (name: string) => `<${name}.${runs}@example.com>`
    const to = [inbox.address, 'Cy <cy@example.com>']
    runs += 1
    await send({ id: id('x1'), references: [id('x3')] }, { from: 'Ana <ana@example.com>', to })
    await send({ id: id('x2'), references: [id('x0')] }, { from: 'Bo <bo@example.com>', to })
    await send({ id: id('x3'), references: [id('x0')] }, { from: 'Cy <cy@example.com>', to: inbox.address })
    const db = await openBeside(database.options)
    const left = async () => {
      const rows = await db.selectFrom('thread_aliases').select('thread_id').execute()
      const ofInbox = await messages(`&inbox_id=${inbox.id}`)
      return rows.filter(
        ({ thread_id }) => thread_id === kept || ofInbox.some((one) => one.thread_id === thread_id),
      )
    }
    const kept = await threadOf(id('x1'))
    expect(await left()).toHaveLength(1)
    await service.call('DELETE', `/inboxes/${inbox.id}`)
    await expect.poll(left).toEqual([])
    await db.destroy()
  })

  describe('of a list', () => {
    const headers = { 'List-Id': '<talk.example.com>', 'List-Post': '<mailto:talk@example.com>' }
    const late = async (more: { one?: object; two?: object; parent?: object } = {}) => {
      const run = ++runs
      const [one, two, parent, root] = ['o', 't', 'p', 'r'].map(
        (name) => `<l${name}.${run}@example.com>`,
      ) as [string, string, string, string]
      const mail = { to: [service.home.address, 'talk@example.com'], headers }
      await send(
        { id: root, references: [] },
        { from: 'ann@ann.example', subject: 'One', ...mail, ...more.one },
      )
      await send(
        { id: two, references: [parent] },
        { from: 'bob@bob.example', subject: 'Two', ...mail, ...more.two },
      )
      await send({ id: one, references: [root] }, { from: 'dee@dee.example', subject: 'Re: One', ...mail })
      await send(
        { id: parent, references: [root] },
        { from: 'cy@cy.example', subject: 'Re: One', ...mail, ...more.parent },
      )
      const ids = await Promise.all([root, one, two, parent].map(threadOf))
      return ids.map((id) => ids.indexOf(id))
    }

    it('become one when a parent comes late, whoever wrote it: all who read the list have them', async () => {
      expect(await late()).toEqual([0, 0, 0, 0])
    })

    it('are not joined with what came otherwise, nor by mail of another list or of none', async () => {
      expect(await late({ one: { headers: {} } })).toEqual([0, 0, 2, 0])
      expect(await late({ two: { headers: {} } })).toEqual([0, 0, 2, 0])
      expect(await late({ parent: { headers: {} } })).toEqual([0, 0, 2, 0])
      expect(await late({ parent: { headers: { 'List-Id': '<other.example.com>' } } })).toEqual([0, 0, 2, 0])
    })
  })

  it('lead to the oldest from every id that they had, however often they were joined', async () => {
    const run = ++runs
    const [root, late, later] = ['r', 'l', 'll'].map((name) => `<${name}.${run}@example.com>`) as [
      string,
      string,
      string,
    ]
    const starts = ['j1', 'j2', 'j3'].map((name) => `<${name}.${run}@example.com>`)
    const ancestors = [[later], [late], [root]]
    for (const [at, id] of starts.entries()) await send({ id, references: ancestors[at]! })
    const ids = await Promise.all(starts.map(threadOf))
    expect(new Set(ids).size).toBe(3)
    await send({ id: late, references: [root] })
    expect(await Promise.all(starts.map(threadOf))).toEqual([ids[0], ids[1], ids[1]])
    await send({ id: later, references: [late] })
    for (const id of ids) {
      expect((await thread(id)).body).toMatchObject({ id: ids[0], message_count: 5 })
      expect(await messages(`&thread_id=${id}`)).toHaveLength(5)
    }
    expect((await service.call('DELETE', `/threads/${ids[2]}`)).status).toBeLessThan(300)
    for (const id of ids) expect((await thread(id)).status).toBe(404)
  })

  it('are not joined by a mail with a Message-ID that another has', async () => {
    const [one, two] = [`<d1.${++runs}@example.com>`, `<d2.${runs}@example.com>`]
    await send({ id: one, references: [] })
    await send({ id: two, references: [] })
    const before = [await threadOf(one), await threadOf(two)]
    await service.mail({ messageId: one, references: [two], text: 'I am another' })
    expect([await threadOf(two), (await thread(before[0]!)).status]).toEqual([before[1], 200])
    expect(await messages(`&thread_id=${before[1]}`)).toHaveLength(2)
  })

  it('are found by subject and participants only where a reply refers to nothing', async () => {
    const subject = `Offer ${++runs}`
    const first = `<s1.${runs}@example.com>`
    await send({ id: first, references: [] }, { subject, from: 'ana@example.com' })
    const id = await threadOf(first)
    const join = async (name: string, mail: object) => {
      const messageId = `<${name}.${runs}@example.com>`
      await service.mail({ messageId, text: name, ...mail })
      return (await threadOf(messageId)) === id
    }
    expect(await join('reply', { subject: `AW: ${subject}`, from: 'ana@example.com' })).toBe(true)
    expect(await join('stranger', { subject: `Re: ${subject}`, from: 'eve@example.com' })).toBe(false)
    expect(await join('plain', { subject, from: 'ana@example.com' })).toBe(false)
    const elsewhere = {
      subject: `Re: ${subject}`,
      from: 'ana@example.com',
      references: ['<else@example.com>'],
    }
    expect(await join('elsewhere', elsewhere)).toBe(false)
  })

  it('are found by subject among mails that are written down together', async () => {
    const subject = `Re: Together ${++runs}`
    await Promise.all(Array.from({ length: 10 }, (_, at) => service.mail({ subject, text: `answer ${at}` })))
    const [newest] = (await service.call('GET', '/messages?limit=1')).body.messages
    expect((await thread(newest.thread_id)).body).toMatchObject({ subject, message_count: 10 })
  })

  describe('that name an id which no mail here has', () => {
    const places = async (mails: object[]) => {
      const ids: string[] = []
      for (const mail of mails) {
        const messageId = `<u.${++runs}@example.com>`
        await service.mail({ messageId, text: messageId, ...mail })
        ids.push(await threadOf(messageId))
      }
      return ids.map((id) => ids.indexOf(id))
    }
    const lost = (name: string) => ({ inReplyTo: `<lost.${name}.${++runs}@example.com>` })

    it('are not joined for strangers, whom a merge or a broken program gave the same one', async () => {
      const shared = lost('merge')
      const mails = ['ann', 'bob', 'cy'].map((name) => ({
        ...{ ...shared, from: `${name}@${name}.example`, subject: 'Re: Your invoice' },
      }))
      expect(await places(mails)).toEqual([0, 1, 2])
    })

    it('are joined for strangers who name two in a row and speak of the same', async () => {
      const row = Array.from({ length: 2 }, () => `<row.${++runs}@example.com>`)
      const mail = (from: string, count: number, subject = 'Re: Rates') => ({
        ...{
          from: `${from}@${from}.example`,
          subject,
          headers: { References: row.slice(0, count).join(' ') },
        },
      })
      expect(
        await places([mail('ann', 2), mail('bob', 2), mail('cy', 1), mail('dee', 2, 'Re: Rooms')]),
      ).toEqual([0, 0, 2, 3])
    })

    it('are joined for the same people', async () => {
      const shared = lost('people')
      expect(
        await places([
          { ...shared, from: 'ann@ann.example', cc: 'cy@cy.example', subject: 'Re: Plans' },
          { ...shared, from: 'cy@cy.example', subject: 'Re: Plans' },
          { ...shared, from: 'dee@dee.example', cc: 'ann@ann.example', subject: 'Other plans' },
        ]),
      ).toEqual([0, 0, 0])
    })

    it('are joined on a list where they speak of the same', async () => {
      const list = { ...lost('list'), headers: { 'List-Id': '<talk.example.com>' } }
      expect(
        await places([
          { ...list, from: 'ann@ann.example', subject: '[talk] Re: Release' },
          { ...list, from: 'bob@bob.example', subject: 'Re: [talk] Release' },
          { ...list, from: 'cy@cy.example', subject: '[talk] Lunch' },
          { ...list, from: 'dee@dee.example', subject: '[talk] Packages (was: Re: Release)' },
          { ...list, from: 'eli@eli.example', subject: 'Re: [talk] Supper (was Dinner)' },
        ]),
      ).toEqual([0, 0, 2, 0, 4])
    })

    it('are joined by what Outlook calls the conversation, for the same people and subject', async () => {
      const index = (answers: number) => {
        const bytes = Buffer.alloc(22 + 5 * answers, runs)
        return { 'Thread-Index': bytes.toString('base64'), 'Thread-Topic': 'Budget' }
      }
      const ann = { from: 'ann@ann.example', cc: 'bob@bob.example' }
      runs++
      const mails = [
        { ...ann, subject: 'Budget', headers: index(0) },
        { from: 'bob@bob.example', subject: 'SV: Budget', headers: index(1) },
        { ...ann, subject: 'XY: Budget', headers: index(2) },
        { from: 'eve@eve.example', subject: 'RE: Budget', headers: index(1) },
        { ...ann, subject: 'Another', headers: { ...index(0), 'Thread-Topic': 'Another' } },
      ].map((mail, at) => ({ ...mail, messageId: `<o${at}.${runs}@example.com>` }))
      const ids: string[] = []
      for (const mail of mails) {
        await service.mail({ text: mail.messageId, ...mail })
        ids.push(await threadOf(mail.messageId))
      }
      expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 0, 3, 4])
    })
  })

  it('mark who had no part in them before', async () => {
    const first = `<n1.${++runs}@example.com>`
    await send({ id: first, references: [] }, { from: 'ana@example.com' })
    const marks = []
    for (const from of ['ana@example.com', 'Eve <eve@example.com>', 'eve@EXAMPLE.com']) {
      const messageId = `<n.${from.length}.${++runs}@example.com>`
      await service.mail({ messageId, inReplyTo: first, from, text: `from ${from} ${runs}` })
      const { body } = await service.call('GET', '/messages?limit=1')
      marks.push(body.messages[0].new_participant)
    }
    expect(marks).toEqual([false, true, false])
  })

  it('mark what a list writes in its own name: it may be from anybody, however well the list is proven', async () => {
    const first = `<v1.${++runs}@example.com>`
    const from = 'Ann via Talk <talk@example.com>'
    const headers = { 'List-Post': '<mailto:talk@example.com>' }
    await send({ id: first, references: [] }, { from, headers })
    await send({ id: `<v2.${runs}@example.com>`, references: [first] }, { from, headers })
    const { body } = await service.call('GET', '/messages?limit=1')
    expect(body.messages[0]).toMatchObject({ new_participant: true, list: { from_list: true } })
  })
})

describeDatabases('threads that are old', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openForJumps(options, { clock }), perBlock)
  const hourMs = 3_600_000
  const arrive = async (subject: string) => {
    await service.mail({ subject, from: 'ana@example.com', text: `${subject} at ${clock.now()}` })
    return (await service.call('GET', '/messages?limit=1')).body.messages[0].thread_id as string
  }

  it('are found by subject for 30 days after their last mail, and no longer', async () => {
    const [lively, silent] = [await arrive('Lively'), await arrive('Silent')]
    clock.jump(30 * 24 * hourMs - hourMs)
    expect(await arrive('Re: Lively')).toBe(lively)
    clock.jump(2 * hourMs)
    expect(await arrive('Re: Silent')).not.toBe(silent)
    expect(await arrive('Re: Lively')).toBe(lively)
  })

  it('are found by a subject of any length', async () => {
    const subject = `${'long '.repeat(20_000)}end`
    expect(await arrive(`Re: ${subject}`)).toBe(await arrive(`Re: ${subject}`))
  })

  it('are found among however many others', async () => {
    const wanted = await arrive('The one of Größe 5%')
    for (let at = 0; at < 250; at++) await arrive(`Other ${at}`)
    expect(await arrive('Re: The one of Größe 5%')).toBe(wanted)
  })
})
