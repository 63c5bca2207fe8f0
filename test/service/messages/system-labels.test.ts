import fc from 'fast-check'
import { Mailbox } from 'restante'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'
import { useDatabase, useService } from '../../support/use-service'

interface Listed {
  id: string
  subject: string
  labels: string[]
  label_ids: string[]
  thread_id: string
  direction: string
}
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const systemIds = ['archived', 'spam', 'trash', 'unread']

const toolsOf = ({ call }: QuietService) => {
  const get = async (path: string) => (await call('GET', path)).body
  const done = async (path: string, body: unknown) => {
    const answer = await call('POST', path, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  return {
    get,
    done,
    list: async (query = ''): Promise<Listed[]> =>
      (await get(`/messages?order=desc&limit=100&${query}`)).messages,
    threads: async (query = ''): Promise<string[]> =>
      (await get(`/threads?limit=100&${query}`)).threads.map((one: Listed) => one.id),
    put: (id: string, message_id: string): Promise<Listed> => done(`/labels/${id}/assign`, { message_id }),
    take: (id: string, message_id: string): Promise<Listed> => done(`/labels/${id}/unassign`, { message_id }),
    unread: async (): Promise<number[]> =>
      (await get('/inboxes?include=unread')).inboxes.map((inbox: { unread: number }) => inbox.unread),
    /** Leases and acknowledges all that a consumer gets now. */
    drain: async (name: string): Promise<string[]> => {
      const had: string[] = []
      for (;;) {
        const { deliveries } = await done(`/consumers/${name}/lease`, { max: 5 })
        if (deliveries.length === 0) return had
        had.push(...deliveries.map((one: { message: Listed }) => one.message.id))
        await done(`/consumers/${name}/ack`, {
          leases: deliveries.map((one: { lease: string }) => one.lease),
        })
      }
    },
  }
}

describeDatabases('labels of the service', (openDatabase) => {
  const { service } = useService(openDatabase, openService)
  const use = () => toolsOf(service)

  it('are in every account, and can neither be made, renamed nor deleted', async () => {
    const { labels } = (await service.call('GET', '/labels')).body
    expect(labels.map(({ id, name, system }: Record<string, unknown>) => [id, name, system])).toEqual(
      systemIds.map((id) => [id, id, true]),
    )
    const { body: own } = await service.call('POST', '/labels', { body: { name: 'own' } })
    for (const id of systemIds) {
      const refused = { status: 409, body: { error: 'system_label' } }
      expect(await service.call('PATCH', `/labels/${id}`, { body: { name: 'x' } })).toMatchObject(refused)
      expect(await service.call('DELETE', `/labels/${id}`)).toMatchObject(refused)
      const named = { body: { name: id.toUpperCase() } }
      expect(await service.call('PATCH', `/labels/${own.id}`, named)).toMatchObject(refused)
      expect(await service.call('POST', '/labels', named)).toMatchObject({
        status: 409,
        body: { error: 'label_exists', details: { label_id: id } },
      })
    }
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { labels: Listed[]; next_cursor: string | null } = (
        await service.call('GET', `/labels?limit=2${cursor && `&cursor=${cursor}`}`)
      ).body
      pages.push(...page.labels.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(pages).toEqual([...systemIds, own.id].sort())
  })

  it('unread is what comes in, until somebody says otherwise, and nothing that the account sends', async () => {
    const { list, put, take, unread, threads, get, done } = use()
    await service.mail({ subject: 'in' })
    const [came] = await list()
    expect(came).toMatchObject({ labels: ['unread'], label_ids: ['unread'] })
    const { address } = (await get('/inboxes')).inboxes[0]
    const sent = await done('/messages', {
      inbox_id: service.home.inboxId,
      to: ['b@example.com'],
      text: 'hi',
    })
    expect(await get(`/messages/${sent.id}`)).toMatchObject({ labels: [] })
    await service.mail({ to: address, subject: 'two' })
    expect([await unread(), (await list('label=unread')).length]).toEqual([[2], 2])
    expect(await list('q=in%20is:unread')).toMatchObject([{ subject: 'in' }])
    expect(await take('unread', came!.id)).toMatchObject({ labels: [], label_ids: [] })
    expect([await unread(), (await list('label=Unread')).map(({ subject }) => subject)]).toEqual([
      [1],
      ['two'],
    ])
    expect(await threads('label=unread')).not.toContain(came!.thread_id)
    const before = (await get('/events?after=now')).to
    await put('unread', came!.id)
    // Who reads moves no thread in the order of lists.
    const { events } = await get(`/events?after=${before}`)
    expect(events).toMatchObject([{ type: 'label.assigned', data: { labels: ['unread'] } }])
    expect(await threads('label=unread')).toContain(came!.thread_id)
    expect(await get(`/threads/${came!.thread_id}`)).toMatchObject({ labels: [] })
    await put('trash', came!.id)
    expect(await unread()).toEqual([1])
  })

  it('trash is left out as spam is, and brought back as it was', async () => {
    const { list, put, take, threads } = use()
    await service.mail({ subject: 'plan', messageId: '<a@x>' })
    await service.mail({ subject: 'Re: plan', inReplyTo: '<a@x>' })
    const [second, first] = await list()
    await put('trash', first!.id)
    expect(await list()).toMatchObject([{ id: second!.id }])
    expect(await threads()).toEqual([first!.thread_id])
    await put('trash', second!.id)
    expect([await list(), await threads(), await list('q=plan')]).toEqual([[], [], []])
    for (const asked of [
      'label=trash',
      'include=trash',
      'include=all',
      'q=plan%20in:trash',
      'q=plan&include=trash',
    ])
      expect(await list(asked), asked).toHaveLength(2)
    expect(await list('include=spam')).toEqual([])
    expect(await threads('label=trash')).toEqual([first!.thread_id])
    await put('spam', second!.id)
    expect([(await list('include=trash')).length, (await list('label=trash')).length]).toEqual([1, 2])
    await take('trash', first!.id)
    expect(await list()).toMatchObject([{ id: first!.id, labels: ['unread'] }])
  })

  it('trash is in the hands of no loop, but of the one that has it already', async () => {
    const { list, put, take, done, drain } = use()
    for (const name of ['bot', 'all']) await done('/consumers', { name, spam: name === 'all' })
    await service.mail({ subject: 'handled' })
    const [handled] = await list()
    expect([await drain('bot'), await drain('all')]).toEqual([[handled!.id], [handled!.id]])
    await service.mail({ subject: 'not handled' })
    const [waiting] = await list()
    for (const { id } of [handled!, waiting!]) await put('trash', id)
    expect([await drain('bot'), await drain('all')]).toEqual([[], []])
    await put('spam', waiting!.id)
    for (const { id } of [handled!, waiting!]) await take('trash', id)
    expect([await drain('bot'), await drain('all')]).toEqual([[], [waiting!.id]])
    await take('spam', waiting!.id)
    expect([await drain('bot'), await drain('all')]).toEqual([[waiting!.id], []])
  })

  it('trash that its loop throws away itself does not come again when it is brought back', async () => {
    await using mailbox = await Mailbox.open({ service: service.service })
    await service.mail({ subject: 'rubbish' })
    await service.mail({ subject: 'left' })
    for await (const message of mailbox.incoming({ consumer: 'cleaner' })) {
      if (message.subject === 'left') break
      const thrown = await message.trash()
      expect(thrown.labels).toEqual(['trash', 'unread'])
    }
    const { items } = await mailbox.messages.list({ label: 'trash' })
    expect(items.map(({ subject }) => subject)).toEqual(['rubbish'])
    expect((await mailbox.messages.list({ trash: true })).items).toHaveLength(2)
    const back = await (await (await items[0]!.restore()).markRead()).archive()
    expect(back.labels).toEqual(['archived'])
    expect((await back.markUnread()).labels).toEqual(['archived', 'unread'])
    const again: string[] = []
    for await (const message of mailbox.incoming({ consumer: 'cleaner' })) {
      again.push(message.subject)
      break
    }
    expect(again).toEqual(['left'])
  })
})

const step = fc.record({
  kind: fc.constantFrom(
    'mail',
    'mail',
    'mail',
    'send',
    'put',
    'put',
    'put',
    'take',
    'take',
    'handle',
    'erase',
  ),
  a: fc.nat(50),
  b: fc.nat(50),
})

interface Kept {
  id: string
  thread: string
  inbound: boolean
  labels: Set<string>
  handled: boolean
}

describeDatabases('labels of the service, beside a model', (openDatabase) => {
  const database = useDatabase(openDatabase)

  it('lists, searches, threads, counts, events and loops all go by the same labels', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await using service = await openService(database.options)
        const { get, done, list, threads, put, take, unread, drain } = toolsOf(service)
        const inbox_id = (await done('/inboxes', {})).id
        const { address } = await get(`/inboxes/${inbox_id}`)
        const name = `bot-${inbox_id.slice(4)}`
        await done('/consumers', { name, inbox_id, from: 'now' })
        const own = await done('/labels', { name: `own ${inbox_id}` })
        const ids = [...systemIds, own.id]
        let kept: Kept[] = []
        const away = ({ labels }: Kept, ...without: string[]) =>
          ['spam', 'trash'].some((id) => labels.has(id) && !without.includes(id))
        const meant = (one: Kept) => one.inbound && !one.handled && !away(one)
        const add = async (subject: string) => {
          const [newest] = await list(`include=all&inbox_id=${inbox_id}`)
          expect(newest!.subject).toBe(subject)
          const { id, thread_id: thread, direction } = newest!
          const inbound = direction === 'inbound'
          kept.unshift({ id, thread, inbound, labels: new Set(inbound ? ['unread'] : []), handled: false })
        }
        for (const [i, { kind, a, b }] of steps.entries()) {
          const one = kept[a % Math.max(1, kept.length)]
          const label = ids[b % ids.length]!
          const subject = `common ${i}`
          if (kind === 'mail') {
            const parent =
              b % 2 === 0 && one ? (await get(`/messages/${one.id}`)).rfc822_message_id : undefined
            await service.mail({ to: address, subject, ...(parent && { inReplyTo: parent }) })
            await add(subject)
          } else if (kind === 'send') {
            await done('/messages', { inbox_id, to: ['b@example.com'], subject, text: 'common' })
            await add(subject)
          } else if (kind === 'put' && one) {
            one.labels.add(label)
            expect(new Set((await put(label, one.id)).label_ids)).toEqual(one.labels)
          } else if (kind === 'take' && one) {
            one.labels.delete(label)
            expect(new Set((await take(label, one.id)).label_ids)).toEqual(one.labels)
          } else if (kind === 'handle') {
            const { deliveries } = await done(`/consumers/${name}/lease`, { max: 1 })
            const given = kept.find(({ id }) => id === deliveries[0]?.message.id)
            expect(given ? meant(given) : !kept.some(meant)).toBe(true)
            if (!given) continue
            given.handled = true
            await done(`/consumers/${name}/ack`, { leases: [deliveries[0].lease] })
          } else if (kind === 'erase' && one) {
            await service.call('DELETE', `/messages/${one.id}`)
            kept = kept.filter((other) => other !== one)
          }
        }
        const here = `inbox_id=${inbox_id}`
        const idsOf = (all: { id: string }[]) => all.map(({ id }) => id)
        for (const label of [null, ...ids]) {
          for (const include of [null, 'spam', 'trash', 'all']) {
            const asksForAway = label === 'spam' || label === 'trash' || include === 'all'
            const shown = kept.filter(
              (one) =>
                (label === null || one.labels.has(label)) &&
                (asksForAway || !away(one, ...(include === null ? [] : [include]))),
            )
            const query = `${here}${label === null ? '' : `&label=${label}`}${include === null ? '' : `&include=${include}`}`
            expect(idsOf(await list(query)), query).toEqual(idsOf(shown))
            expect(idsOf(await list(`${query}&q=common`)), query).toEqual(idsOf(shown))
            if (label === null || systemIds.includes(label)) {
              const asked = label === null ? 'common' : `common label:${label}`
              const searched = await list(
                `${here}${include === null ? '' : `&include=${include}`}&q=${asked}`,
              )
              expect(idsOf(searched), asked).toEqual(idsOf(shown))
            }
            const ofThreads = new Set(shown.map(({ thread }) => thread))
            // A label may be on one message and what hides on another: a thread shows as long as it has other mail.
            const open = label === null || label === 'unread' || asksForAway
            if (open) expect(new Set(await threads(query)), query).toEqual(ofThreads)
          }
        }
        const counted = kept.filter((one) => one.labels.has('unread') && !away(one)).length
        expect((await unread()).reduce((sum, one) => sum + one, 0)).toBe(counted)
        const { events } = await get(`/events?after=0&limit=500&${here}`)
        for (const { id, labels } of kept) {
          const last = events.findLast(({ data }: { data: Listed }) => data.id === id && data.label_ids)
          expect(new Set(last.data.label_ids)).toEqual(labels)
          expect((await get(`/messages/${id}`)).label_ids).toEqual([...labels].sort())
        }
        expect((await drain(name)).sort()).toEqual(idsOf(kept.filter(meant)).sort())
        for (const { id } of kept) await service.call('DELETE', `/messages/${id}`)
      }),
      { numRuns: Number(process.env.RESTANTE_MODEL_RUNS ?? 6) },
    )
  })
})

describeDatabases('the trash', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const openAt = async (settings: { keepTrashDays?: number; keepEventsDays: number }) => {
    const clock = new JumpClock(Date.parse('2026-03-01T09:00:00Z'))
    const options = { ...database.options, ...settings }
    return { clock, service: await database.start(() => openService(options, { clock })) }
  }

  it('is erased after 30 days, as if somebody had, and what was brought back is not', async () => {
    const { clock, service } = await openAt({ keepEventsDays: 365 })
    const { list, put, take, get } = toolsOf(service)
    for (const subject of ['gone', 'back', 'again', 'kept']) await service.mail({ subject })
    const [, again, back, gone] = (await list()).map(({ id }) => id)
    for (const id of [gone!, back!, again!]) await put('trash', id)
    clock.jump(29 * dayMs)
    for (const id of [back!, again!]) await take('trash', id)
    await put('trash', again!)
    const subjects = async () => (await list('include=all')).map(({ subject }) => subject)
    // What is looked after every hour may still be at it from the jump before.
    const anHourLater = () => {
      clock.jump(hourMs)
      return subjects()
    }
    expect(await subjects()).toEqual(['kept', 'again', 'back', 'gone'])
    clock.jump(dayMs + 1)
    await expect.poll(anHourLater).toEqual(['kept', 'again', 'back'])
    const { events } = await get('/events?after=0&limit=500&types=message.deleted,thread.deleted')
    expect(events.map((event: { type: string; data: { id: string } }) => event.type)).toEqual([
      'message.deleted',
      'thread.deleted',
    ])
    expect(events[0].data.id).toBe(gone)
    clock.jump(29 * dayMs)
    await expect.poll(anHourLater).toEqual(['kept', 'back'])
  })

  it('is kept where the service is told to', async () => {
    const { clock, service } = await openAt({ keepTrashDays: 0, keepEventsDays: 1 })
    const { list, put } = toolsOf(service)
    await service.mail({ subject: 'stays' })
    await put('trash', (await list())[0]!.id)
    const housekeeping = async (days: number) => {
      const { to } = (await service.call('GET', '/events?after=now')).body
      clock.jump(days * dayMs)
      // What is looked after every hour may still be at it from the jump before.
      const anHourLater = async () => {
        clock.jump(hourMs)
        return (await service.call('GET', `/events?after=${to - 1}`)).status
      }
      await expect.poll(anHourLater).toBe(410)
    }
    await housekeeping(400)
    // Once it is seen to have begun anew, it has come to its end before.
    await service.mail({ subject: 'later' })
    // On PostgreSQL events go with the others of their days.
    await housekeeping(5)
    expect(await list('label=trash')).toHaveLength(1)
  })
})
