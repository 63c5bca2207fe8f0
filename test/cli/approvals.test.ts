import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDatabases } from '../support/databases'
import { draftCalls } from '../support/draft-calls'
import { startDrafting } from '../support/drafting'
import { useService } from '../support/use-service'
import { runHere } from './support/in-process'

const json = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describeDatabases('restante approvals', (openDatabase) => {
  const { service: drafting, database } = useService(openDatabase, startDrafting)
  const { whole, made, read, change, send, outbox, goingOn } = draftCalls(drafting)

  /** Where the services are: a folder whose service is asked, or a database that they share. */
  const env = () =>
    Object.fromEntries(
      Object.entries({
        RESTANTE_DATA: database.options.data,
        RESTANTE_DATABASE_URL: database.options.databaseUrl,
      }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    )
  const approvals = (...args: string[]) => runHere(['approvals', ...args], env())
  const ask = async (body: object = {}) => {
    const { id } = await made(whole(body), drafting.keys.manage)
    return (await send(id, undefined, drafting.keys.manage)).body as {
      id: string
      seq: number
      message: string
    }
  }

  it('shows what waits, and sends it exactly as it was shown', async () => {
    expect((await approvals()).out).toBe('No drafts wait for approval.\n')
    const asked = await ask({ cc: ['cy@example.com'], subject: 'An order', text: 'Seventeen bicycles.' })
    expect(asked.message).toMatch(
      /^Nothing was sent yet:.*operator.*restante approvals.*Do not send it again/,
    )
    const listed = await approvals()
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toContain(`${asked.id}  `)
    expect(listed.out).toContain('→ bo@example.com, cy@example.com  "An order"')
    const shown = await approvals('show', asked.id)
    expect(shown.out).toContain('Seventeen bicycles.')
    const [command] = /restante approvals approve .*/.exec(shown.out)!
    const { code, out } = await runHere(command.split(' ').slice(1), env())
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/is approved: it (is being sent|will be sent within)/),
    ])
    await goingOn(async () => (await read(asked.id)).status).toBe('sent')
    expect(await runHere(command.split(' ').slice(1), env())).toMatchObject({
      code: 0,
      out: expect.stringContaining('it is being sent as'),
    })
    expect(await outbox()).toMatchObject([{ subject: 'An order', to_addrs: ['bo@example.com'] }])
    expect((await approvals('list', '--json')).out).toBe('')
  })

  it('decides on nothing that was changed since it was shown', async () => {
    const asked = await ask()
    await change(asked.id, { text: 'other' }, drafting.keys.manage)
    for (const verb of ['approve', 'reject'])
      expect(await approvals(verb, asked.id, '--seq', String(asked.seq))).toMatchObject({
        code: 1,
        err: expect.stringContaining('was changed meanwhile. Read it, then decide again'),
      })
    expect(await outbox()).toEqual([])
  })

  it('rejects with a reason, which the agent reads', async () => {
    const asked = await ask()
    const [listed] = json((await approvals('list', '--account', drafting.home.address, '--json')).out)
    expect(listed).toMatchObject({ id: asked.id, from_addr: drafting.home.address, to: ['bo@example.com'] })
    expect(
      await approvals('reject', asked.id, '--seq', String(asked.seq), '--reason', 'Too blunt.'),
    ).toMatchObject({
      code: 0,
      out: `${asked.id} is rejected: it will not be sent, and the agent is notified.\n`,
    })
    expect(await read(asked.id)).toMatchObject({ status: 'rejected', error: { message: 'Too blunt.' } })
    expect(await outbox()).toEqual([])
  })

  it('saves the files of what waits, under names that stay in their folder', async () => {
    const large = Buffer.alloc(100_000, 'large')
    const attachments = [
      { filename: '../../offer.txt', content_base64: Buffer.from('Two tables').toString('base64') },
      { filename: 'plan.bin', content_base64: large.toString('base64') },
    ]
    const asked = await ask({ attachments })
    const folder = join(await mkdtemp(join(tmpdir(), 'restante-saved-')), 'files')
    const { out, code } = await approvals('show', asked.id, '--save', folder)
    expect(code).toBe(0)
    expect(out).toContain(`Saved ${join(folder, '1-__.._offer.txt')}\n`)
    expect(await readFile(join(folder, '1-__.._offer.txt'), 'utf8')).toBe('Two tables')
    expect(await readFile(join(folder, '2-plan.bin'))).toEqual(large)
    expect((await approvals('show', asked.id, '--save', folder)).err).toContain('already exists')
    await rm(dirname(folder), { recursive: true })
  })

  it('says what is missing', async () => {
    expect(await approvals('approve', 'drf_1')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /--seq <seq>' not specified.*restante approvals approve \[options\] <draft>/,
      ),
    })
    expect((await approvals('show', 'drf_nobody')).err).toContain('There is no draft "drf_nobody"')
    expect((await approvals('aprove', 'drf_1')).err).toContain('has no command aprove: it has list, show,')
  })

  it('lists the accounts of the service', async () => {
    const { out } = await runHere(['admin', 'accounts', '--json'], env())
    const accounts = json(out)
    expect(accounts).toHaveLength(3)
    expect(accounts).toContainEqual(
      expect.objectContaining({
        tenant_id: drafting.home.tenantId,
        sending_status: 'enabled',
        inboxes: [expect.objectContaining({ address: drafting.home.address })],
      }),
    )
    expect((await runHere(['admin', 'accounts'], env())).out).toContain(drafting.home.address)
  })
})
