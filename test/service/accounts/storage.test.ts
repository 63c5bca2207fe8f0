import { randomBytes } from 'node:crypto'
import type { PlanInput, ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { seed } from '../../support/seed'
import { openService, type QuietService } from '../../support/service'
import { useService } from '../../support/use-service'
import { startScriptedMailbox } from '../connections/support/scripted-mailbox'

const dayMs = 86_400_000
const plans: Record<string, PlanInput> = { small: { maxStorageBytes: 30_000 }, large: {} }

/** Draws numbers below a bound, the same ones for the same seed. */
function drawer(start: number) {
  let state = start >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describeDatabases('storage', (openDatabase) => {
  const clock = new JumpClock(Date.parse('2026-03-01T18:00:00.000Z'))
  const begin = (options: ServiceOptions) => openService({ ...options, plans }, { clock })
  const { service, database } = useService(openDatabase, begin)
  const account = (plan: string) => claimed(service, database.options, { at: clock.now(), plan })

  async function upload(one: TestAccount, bytes: number, by: QuietService = service) {
    const answer = await by.service.fetch(
      new Request('http://restante.test/v1/uploads?filename=a.bin', {
        method: 'POST',
        headers: { authorization: `Bearer ${one.key}`, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(randomBytes(bytes)),
      }),
    )
    return { status: answer.status, body: (await answer.json()) as { id: string; error: string } }
  }
  const usedBy = async (one: TestAccount): Promise<number> =>
    (await one.call('GET', '/account')).body.storage.used_bytes
  const file = (bytes: number) => ({
    filename: 'a.bin',
    content_base64: randomBytes(bytes).toString('base64'),
  })

  /** The bytes of an account, read from its rows one by one. */
  async function storedIn({ tenantId }: TestAccount): Promise<number> {
    const db = await openBeside(database.options)
    const rowsOf = (table: 'messages' | 'uploads' | 'draft_files') =>
      db
        .selectFrom(table as 'uploads')
        .select(['raw', 'blob_hash', 'size'])
        .where('tenant_id', '=', tenantId)
        .execute()
    try {
      const rows = [
        ...(await rowsOf('messages')),
        ...(await rowsOf('uploads')),
        ...(await rowsOf('draft_files')),
      ]
      const bytes = rows.map(({ raw, blob_hash, size }) =>
        raw ? Buffer.from(raw).byteLength : blob_hash ? Number(size) : 0,
      )
      return bytes.reduce((sum, one) => sum + one, 0)
    } finally {
      await db.destroy()
    }
  }

  it('is what messages, uploads and draft files take, after any history', async () => {
    const one = await account('large')
    const draw = drawer(seed)
    const size = () => [10, 3_000, 90_000][draw(3)]!
    const some = <T>(list: T[]): T | undefined => list[draw(list.length || 1)]
    const idsOf = async (path: string, name: string): Promise<string[]> =>
      (await one.call('GET', path)).body[name].map(({ id }: { id: string }) => id)
    const drafted = (attachments: object[]) => ({
      inbox_id: one.inboxId,
      to: ['bo@example.com'],
      subject: 'x',
      text: 'y',
      attachments,
    })
    const withOne = async (path: string, name: string, work: (id: string) => Promise<unknown>) => {
      const id = some(await idsOf(path, name))
      if (id) await work(id)
    }
    const steps: (() => Promise<unknown>)[] = [
      () => service.mail({ to: one.address, subject: `s${draw(4)}`, text: 'z'.repeat(size()) }),
      () => service.mail({ to: one.address, attachments: [{ content: randomBytes(size()) }] }),
      () => upload(one, size()),
      async () => {
        const { body } = await upload(one, size())
        await one.call('POST', '/drafts', { body: drafted([{ upload_id: body.id }]) })
      },
      () => one.call('POST', '/drafts', { body: drafted([file(size()), file(size())]) }),
      () =>
        withOne('/drafts', 'drafts', (id) =>
          one.call('PATCH', `/drafts/${id}`, { body: { attachments: [file(size())] } }),
        ),
      () => withOne('/drafts', 'drafts', (id) => one.call('POST', `/drafts/${id}/send`)),
      () => withOne('/drafts', 'drafts', (id) => one.call('DELETE', `/drafts/${id}`)),
      () => one.send({ attachments: [file(size())] }),
      () => withOne('/messages', 'messages', (id) => one.call('DELETE', `/messages/${id}`)),
      () => withOne('/threads', 'threads', (id) => one.call('DELETE', `/threads/${id}`)),
    ]
    for (let turn = 0; turn < 60; turn++) await steps[draw(steps.length)]!()
    const stored = await storedIn(one)
    expect(stored).toBeGreaterThan(0)
    expect(await usedBy(one)).toBe(stored)
    // An inbox is erased with all that is in it; an upload of the whole account stays until its day is over.
    await one.call('DELETE', `/inboxes/${one.inboxId}`)
    expect(await usedBy(one)).toBe(await storedIn(one))
    clock.jump(dayMs)
    await expect.poll(() => usedBy(one), { timeout: 20_000 }).toBe(0)
    expect(await storedIn(one)).toBe(0)
  })

  it('is refused by SMTP and HTTP once it is full, and again possible after something was erased', async () => {
    const one = await account('small')
    await service.mail({ to: one.address, text: 'x'.repeat(20_000) })
    const { storage } = (await one.call('GET', '/account')).body
    expect([storage.max_bytes, storage.used_bytes]).toEqual([30_000, await storedIn(one)])
    await expect(service.mail({ to: one.address, text: 'x'.repeat(20_000) })).rejects.toThrow(/452 4\.2\.2/)
    const draft = { inbox_id: one.inboxId, attachments: [file(20_000)] }
    const refusal = { status: 422, body: { error: 'storage_limit_reached' } }
    expect(await upload(one, 20_000)).toMatchObject(refusal)
    expect(await one.call('POST', '/drafts', { body: draft })).toMatchObject(refusal)
    expect(await one.send({ attachments: [file(20_000)] })).toMatchObject(refusal)
    expect(await usedBy(one)).toBe(storage.used_bytes)
    expect((await upload(one, 1_000)).status).toBe(201)
    const [message] = (await one.call('GET', '/messages')).body.messages
    await one.call('DELETE', `/messages/${message.id}`)
    expect((await upload(one, 20_000)).status).toBe(201)
  })

  it('has a provider send its mail again until there is room', async () => {
    const one = await account('small')
    const { id, api_key } = await service.service.keys.create({
      ...{ account_id: one.tenantId, name: 'postmark', scopes: ['inbound'], provider: { type: 'postmark' } },
    })
    const post = async (word: string) => {
      const RawEmail = `From: ana@example.com\r\nMessage-ID: <${word}@example.com>\r\n\r\n${word.repeat(20_000)}`
      const response = await service.service.fetch(
        new Request(`http://restante.test/v1/inbound/keys/${id}/postmark`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`restante:${api_key}`).toString('base64')}` },
          body: JSON.stringify({
            From: 'ana@example.com',
            MessageID: word,
            OriginalRecipient: one.address,
            RawEmail,
          }),
        }),
      )
      return { status: response.status, body: (await response.json()) as object }
    }
    expect((await post('a')).status).toBe(200)
    expect(await post('b')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('has reached its storage limit') },
    })
    const [message] = (await one.call('GET', '/messages')).body.messages
    await one.call('DELETE', `/messages/${message.id}`)
    expect((await post('b')).status).toBe(200)
  })

  it('pauses a connection, which takes its mail in once there is room', async () => {
    const one = await account('small')
    await using mailbox = await startScriptedMailbox()
    const append = (word: string) =>
      mailbox.imap.append(
        `From: ana@example.com\r\nSubject: ${word}\r\nMessage-ID: <${word}@example.com>\r\n\r\n${word.repeat(20_000)}`,
      )
    append('a')
    const { id } = (await one.call('POST', '/connections', { body: mailbox.body({ since: 'all' }) })).body
    const subjects = async () =>
      (await one.call('GET', '/messages')).body.messages.map(({ subject }: { subject: string }) => subject)
    const state = async () => (await one.call('GET', `/connections/${id}`)).body
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['a'])
    await expect.poll(async () => (await state()).state, { timeout: 20_000 }).toBe('live')
    append('b')
    await expect.poll(async () => (await state()).state, { timeout: 20_000 }).toBe('failing')
    expect((await state()).error).toMatch(/has reached its storage limit/)
    expect(await subjects()).toEqual(['a'])
    const [message] = (await one.call('GET', '/messages')).body.messages
    await one.call('DELETE', `/messages/${message.id}`)
    await one.call('POST', `/connections/${id}/retry`)
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['b'])
    await expect.poll(async () => (await state()).state, { timeout: 20_000 }).toBe('live')
  })

  it('has no limit in the plan unlimited, which the account of the service has', async () => {
    const { storage } = (await service.call('GET', '/account')).body
    expect(storage.max_bytes).toBe(null)
    expect((await (await account('large')).call('GET', '/account')).body.storage.max_bytes).toBe(
      2 * 1024 ** 3,
    )
  })

  it('keeps a message for two accounts coming until the full one takes it, too', async () => {
    const full = await account('small')
    const free = await account('large')
    await service.mail({ to: full.address, text: 'x'.repeat(26_000), messageId: '<first@example.com>' })
    const [first] = (await full.call('GET', '/messages')).body.messages
    const mail = {
      to: [full.address, free.address],
      text: 'x'.repeat(5_000),
      messageId: '<two@example.com>',
      date: new Date(0),
    }
    await expect(service.mail(mail)).rejects.toThrow(/452 4\.2\.2/)
    // Erased at once: within a day a repeat is recognised.
    await full.call('DELETE', `/messages/${first.id}`)
    await service.mail(mail)
    for (const one of [full, free]) expect((await one.call('GET', '/messages')).body.messages).toHaveLength(1)
  })

  it('bounds all accounts together by the setting maxStorageBytes', async () => {
    const one = await account('large')
    const other = await account('large')
    await service[Symbol.asyncDispose]()
    const bounded = await database.start((options) =>
      openService({ ...options, plans, maxStorageBytes: 50_000 }, { clock }),
    )
    expect((await upload(one, 40_000, bounded)).status).toBe(201)
    expect(await upload(other, 20_000, bounded)).toMatchObject({
      status: 422,
      body: { error: 'storage_limit_reached' },
    })
    await expect(bounded.mail({ to: bounded.home.address, text: 'x'.repeat(20_000) })).rejects.toThrow(
      /452 4\.2\.2/,
    )
  })
})
