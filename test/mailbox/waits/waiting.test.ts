import { isRestanteError, type Message, type Wait } from 'restante'
import type { MessageSummary } from 'restante/protocol'
import { describe, expect, test } from 'vitest'
import { Mailbox } from '../../../src/mailbox/mailbox'
import { encodeWaitToken } from '../../../src/mailbox/waits/wait-token'
import { FakeClock, settle } from '../support/fake-clock'
import { FakeService } from '../support/fake-service'
import { openFake } from '../support/open'

const judged = (from_verified: boolean) => ({
  ...{ spf: '', dkim: '', dmarc: '', arc: '' },
  ...{ from_verified, spf_aligned: true, signed_fields: [] },
})
const signed = { ...judged(false), dkim_aligned: true }

/** The outcome of a wait so far. */
const watch = (wait: Promise<Message>) => {
  const seen: { id?: string; error?: unknown } = {}
  wait.then(
    ({ id }) => (seen.id = id),
    (error: unknown) => (seen.error = error),
  )
  return seen
}

describe('a wait with a filter', () => {
  const cases: [string, object, Partial<MessageSummary>, boolean][] = [
    ['an address', { from: 'Ana@Example.com' }, {}, true],
    ['another address', { from: 'bo@example.com' }, {}, false],
    ['a domain', { from: 'example.com' }, {}, true],
    ['one of several', { from: ['bo@x.example', '@example.com'] }, {}, true],
    ['a domain above', { from: 'example.com' }, { from_addr: 'a@mail.example.com' }, true],
    ['a domain that ends alike', { from: 'example.com' }, { from_addr: 'a@badexample.com' }, false],
    [
      'a domain in another script',
      { from: 'bücher.example' },
      { from_addr: 'a@xn--bcher-kva.example' },
      true,
    ],
    ['a name that is no address', { from: 'example.com' }, { from_addr: 'example.com' }, false],
    ['words of the subject', { subject: 'ORDER 42' }, { subject: 'Your order: #42!' }, true],
    ['half words of the subject', { subject: 'ord' }, { subject: 'Your order' }, false],
    ['a thread', { threadId: 'thr_1' }, {}, true],
    ['another thread', { threadId: 'thr_2' }, {}, false],
    ['an inbox', { inbox: 'b@mail.example' }, { inbox_id: 'inb_b' }, true],
    ['another inbox', { inbox: 'b@mail.example' }, {}, false],
    ['no program', { automatic: false }, { auto_submitted: 'auto-replied' }, false],
    ['a program', { automatic: true }, { auto_submitted: 'auto-replied' }, true],
    ['spam', {}, { label_ids: ['spam'] }, false],
    ['spam that is wanted', { spam: true }, { label_ids: ['spam'] }, true],
    ['a sender that is not proven', { from: 'example.com' }, { authentication: judged(false) }, false],
    ['one that was not judged', { from: 'example.com' }, { authentication: null }, false],
    ['one that need not be', { from: 'example.com', unverified: true }, { authentication: null }, true],
    ['one whose domain signed', { from: 'example.com' }, { authentication: signed }, false],
    [
      'one whose domain signed, which is enough',
      { from: 'example.com', dkimAligned: true },
      { authentication: signed },
      true,
    ],
    [
      'one who is not even signed for',
      { from: 'example.com', dkimAligned: true },
      { authentication: judged(false) },
      false,
    ],
    ['nobody in particular', {}, { authentication: null }, true],
    ['a function', { where: true }, {}, true],
  ]
  test.each(cases)('by %s takes only what it asks for', async (_what, wanted, fields, passes) => {
    const { where, ...filter } = wanted as Record<string, unknown>
    const { mailbox, service } = await openFake()
    const seen = watch(mailbox.waitFor(where ? ({ subject }) => subject === 'Hello' : filter))
    service.receive(fields)
    await settle()
    expect(seen.id).toBe(passes ? 'msg_1' : undefined)
    await mailbox.close()
  })

  test.each([
    [{ from: 'Ana' }],
    [{ from: [] }],
    [{ from: 'a@b.example, c@d.example' }],
    [{ form: 'a@b.example' }],
  ])('of %j is refused', async (filter) => {
    const { mailbox } = await openFake()
    expect(() => mailbox.waitFor(filter as object)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    )
    await mailbox.close()
  })
})

test('mail that was not judged is believed at an inbox that cannot be reached from outside', async () => {
  const service = new FakeService()
  const [first] = service.inboxes
  service.inboxes[0] = { ...first!, address: 'a@restante.localhost' }
  const { mailbox } = await openFake({}, service)
  const seen = watch(mailbox.expect({ from: 'example.com' }))
  service.receive({ authentication: judged(false) })
  await settle()
  expect(seen.id).toBeUndefined()
  service.receive({ authentication: null })
  await settle()
  expect(seen.id).toBe('msg_2')
  await mailbox.close()
})

test('an answer that is faster than the question is not missed', async () => {
  const { mailbox, service } = await openFake()
  service.receive({ subject: 'Before' })
  await settle()
  const expecting = mailbox.expect({ from: 'ana@example.com' })
  service.receive({ subject: 'Fast' })
  service.receive({ subject: 'Second' })
  await settle(20)
  expect((await expecting.message()).subject).toBe('Fast')
  expect((await expecting).subject).toBe('Fast')
  await mailbox.close()
})

describe('a wait ends', () => {
  test('when its time is over, and says what came unproven', async () => {
    const { mailbox, service, clock } = await openFake()
    const wait = mailbox.waitFor({ from: 'example.com' }, { timeoutMs: 60_000 })
    const seen = watch(wait)
    service.receive({ authentication: judged(false) })
    await clock.advance(59_999)
    expect(seen.error).toBeUndefined()
    await clock.advance(1)
    expect(isRestanteError(seen.error)).toBe(true)
    expect(seen.error).toMatchObject({
      code: 'wait_timed_out',
      message: expect.stringContaining('not proven'),
      details: { token: wait.token, unproven_message_ids: ['msg_1'] },
    })
    expect(clock.pending).toBe((await openFake()).clock.pending)
    await mailbox.close()
  })

  test('when its time is over, and says that a message of the sender brought no code', async () => {
    const { mailbox, service, clock } = await openFake()
    service.override = ({ path }) => (path.endsWith('/codes') ? Response.json({ codes: [] }) : undefined)
    const wait = mailbox.expect({ from: 'example.com', kind: 'code', timeoutMs: 60_000 })
    const seen = watch(wait)
    service.receive()
    await clock.advance(60_000)
    expect(seen.error).toMatchObject({
      code: 'wait_timed_out',
      message: expect.stringContaining('1 fit but have no code'),
      details: { unproven_message_ids: [], without_kind_message_ids: ['msg_1'] },
    })
    await mailbox.close()
  })

  test.each<
    [string, (mailbox: Mailbox, wait: Wait<Message>, controller: AbortController) => unknown, object]
  >([
    ['cancelled', (_mailbox, wait) => wait.cancel(), { code: 'wait_cancelled' }],
    ['disposed', (_mailbox, wait) => wait[Symbol.dispose](), { code: 'wait_cancelled' }],
    ['closed with its mailbox', (mailbox) => mailbox.close(), { code: 'mailbox_closed' }],
    [
      'aborted',
      (_mailbox, _wait, controller) => controller.abort(new Error('enough')),
      { message: 'enough' },
    ],
  ])('where it is %s', async (_what, end, error) => {
    const { mailbox } = await openFake()
    const controller = new AbortController()
    const wait = mailbox.waitFor({}, { signal: controller.signal })
    await settle()
    end(mailbox, wait, controller)
    await expect(wait).rejects.toMatchObject(error)
    await expect(wait.code()).rejects.toMatchObject(error)
    await mailbox.close()
  })

  test('without harm where it is left alone, and where its function throws', async () => {
    const { mailbox, service } = await openFake()
    mailbox.expect({ from: 'example.com' }).cancel()
    const wait = mailbox.waitFor(() => {
      throw new Error('mine')
    })
    service.receive()
    await expect(wait).rejects.toMatchObject({ code: 'filter_failed', cause: new Error('mine') })
    await mailbox.close()
  })

  test('where the key is refused', async () => {
    const { mailbox, service, clock } = await openFake()
    const seen = watch(mailbox.waitFor({}))
    service.key = 'another'
    service.cut()
    await clock.advance(60_000)
    expect(seen.error).toMatchObject({ code: 'unauthorized' })
    await mailbox.close()
  })
})

describe('a wait that is resumed in another process', () => {
  const interrupted = async (filter: object = { from: 'example.com' }, options = {}) => {
    const { mailbox, service } = await openFake()
    service.receive({ subject: 'Before' })
    await settle()
    const { token } = mailbox.waitFor(filter, options)
    await mailbox.close()
    return { service, token: token! }
  }

  test('finds in the log what came meanwhile', async () => {
    const { service, token } = await interrupted()
    for (let count = 0; count < 3; count += 1) service.receive({ from_addr: 'other@x.example' })
    service.receive({ subject: 'Meanwhile' })
    service.receive({ subject: 'Later' })
    const { mailbox } = await openFake({}, service)
    const wait = mailbox.resumeWait(token)
    expect(wait.token).toBe(token)
    expect((await wait).subject).toBe('Meanwhile')
    expect((await mailbox.resumeWait(token)).subject).toBe('Meanwhile')
    await mailbox.close()
  })

  test('waits for what has not come yet', async () => {
    const { service, token } = await interrupted()
    const { mailbox } = await openFake({}, service)
    const seen = watch(mailbox.resumeWait(token))
    await settle(20)
    service.receive({ subject: 'Now' })
    await settle(20)
    expect(seen.id).toBe('msg_2')
    await mailbox.close()
  })

  test('S9: finds it from messages where the log no longer reaches back', async () => {
    const { service, token } = await interrupted()
    for (let count = 0; count < 5; count += 1) service.receive({ from_addr: 'other@x.example' })
    service.receive({ subject: 'Meanwhile' })
    service.lostUpTo = service.head
    const { mailbox } = await openFake({}, service)
    expect((await mailbox.resumeWait(token)).subject).toBe('Meanwhile')
    await mailbox.close()
  })

  test('goes on where the network fails meanwhile', async () => {
    const { service, token } = await interrupted()
    service.receive({ subject: 'Meanwhile' })
    const { mailbox, clock } = await openFake({}, service)
    let failures = 3
    service.override = ({ path }) => {
      if (path === '/v1/events' && failures-- > 0) throw new TypeError('fetch failed')
      return undefined
    }
    const seen = watch(mailbox.resumeWait(token))
    await clock.advance(60_000)
    expect(seen.id).toBe('msg_2')
    await mailbox.close()
  })

  test('goes on with its time, and has some left to look at what came', async () => {
    const { service, token } = await interrupted({}, { timeoutMs: 60_000 })
    const late = new FakeClock()
    await late.advance(3_600_000)
    const { mailbox } = await openFake({ clock: late }, service)
    const seen = watch(mailbox.resumeWait(token))
    await late.advance(9_999)
    expect(seen.error).toBeUndefined()
    await late.advance(1)
    expect(seen.error).toMatchObject({ code: 'wait_timed_out' })
    const longer = watch(mailbox.resumeWait(token, { timeoutMs: 20_000 }))
    await late.advance(19_999)
    expect(longer.error).toBeUndefined()
    await mailbox.close()
  })

  test('looks at what is there already, however short its time is', async () => {
    const { service, token } = await interrupted()
    service.receive({ subject: 'Meanwhile' })
    const { mailbox, clock } = await openFake({}, service)
    let release = () => {}
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    service.override = ({ path }) => (path === '/v1/events' ? (held as never) : undefined)
    const seen = watch(mailbox.resumeWait(token, { timeoutMs: 0 }))
    await clock.advance(5_000)
    expect(seen.error).toBeUndefined()
    release()
    await clock.advance(1)
    expect(seen.id).toBe('msg_2')
    await mailbox.close()
  })

  test('needs a filter: one with a function has no token', async () => {
    const { mailbox } = await openFake()
    const wait = mailbox.waitFor(() => true)
    expect(wait.token).toBeNull()
    wait.cancel()
    await mailbox.close()
  })

  const data = { v: 1, after: 0, filter: {} }
  test.each([
    ['nothing', ''],
    ['something else', 'wait_%%%'],
    ['no JSON', `wait_${btoa('{')}`],
    ['a later version', encodeWaitToken({ ...data, v: 2 } as never)],
    ['a filter of a later version', encodeWaitToken({ ...data, filter: { colour: 'red' } } as never)],
  ])('refuses %s as a token', async (_what, token) => {
    const { mailbox } = await openFake()
    expect(() => mailbox.resumeWait(token)).toThrow(expect.objectContaining({ code: 'invalid_token' }))
    await mailbox.close()
  })

  test('refuses the token of another service', async () => {
    const { mailbox } = await openFake()
    const token = encodeWaitToken({ ...data, v: 1, after: 99 })
    await expect(mailbox.resumeWait(token)).rejects.toMatchObject({ code: 'invalid_token' })
    await mailbox.close()
  })

  test('has a token without a secret in it', async () => {
    const { token } = await interrupted()
    const text = atob(token.slice(5).replace(/-/g, '+').replace(/_/g, '/'))
    expect(JSON.parse(text)).toMatchObject({ v: 1, filter: { from: ['example.com'] } })
    expect(text).not.toContain('key-1')
  })
})

test('S9: a gap in the log while it waits is filled from messages', async () => {
  const { mailbox, service, clock } = await openFake()
  const seen = watch(mailbox.waitFor({ subject: 'Gap' }))
  service.down = true
  service.cut()
  await settle()
  service.receive({ subject: 'Gap' })
  service.receive()
  service.lostUpTo = service.head
  service.down = false
  await clock.advance(60_000)
  expect(seen.id).toBe('msg_1')
  await mailbox.close()
})

test('a thread that became another one is still waited for', async () => {
  const { mailbox, service } = await openFake()
  const seen = watch(mailbox.waitFor({ threadId: 'thr_2' }))
  service.append('thread.merged', { ...service.touchThread().data, seq: 2, merged_id: 'thr_2' })
  service.receive({ subject: 'Now in the older one' })
  await settle(20)
  expect(seen.id).toBe('msg_3')
  await mailbox.close()
})

test('each of many waits at once gets what it asked for, and none is left over', async () => {
  const { mailbox, service } = await openFake()
  const waits = Array.from({ length: 50 }, (_, at) => mailbox.waitFor({ subject: `number ${at}` }))
  for (let at = 49; at >= 0; at -= 1) service.receive({ subject: `Number ${at}` })
  const found = await Promise.all(waits)
  expect(found.map(({ subject }) => subject)).toEqual(waits.map((_, at) => `Number ${at}`))
  await mailbox.close()
})

test('a message that a wait returned is answered once, as one of a loop is', async () => {
  const { mailbox, service } = await openFake()
  const wait = mailbox.waitFor({})
  service.receive()
  const message = await wait
  await message.reply({ text: 'Yes' })
  await expect(message.reply({ text: 'Again' })).rejects.toMatchObject({ code: 'already_replied' })
  await mailbox.close()
  const again = await Mailbox.open({ service, clock: new FakeClock() })
  const resumed = await again.resumeWait(wait.token!)
  expect(await resumed.reply({ text: 'In other words' })).toMatchObject({ idempotent: true })
  await again.close()
})
