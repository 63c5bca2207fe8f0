import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('addresses of a stranger that cannot be written to', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  let runs = 0
  const came = async (headers: Record<string, string>) => {
    await service.mail({ subject: `Odd ${++runs}`, from: 'Ann <ann@ann.example>', headers })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const answer = async (id: string, body: object = { reply_all: true }) => {
    const reply = await service.call('POST', `/messages/${id}/reply`, { body: { text: 'Yes', ...body } })
    if (reply.status !== 200) return reply
    const { to_addrs, cc_addrs } = (await service.call('GET', `/messages/${reply.body.id}`)).body
    return { to: to_addrs, cc: cc_addrs, leftOut: reply.body.left_out }
  }

  it('are mended where the mistake is known', async () => {
    const { id, flaws } = await came({
      Cc: `"'Don@people.example'" <'don@people.example'>, bo@people.example, eve@people.example.`,
    })
    expect(flaws).toEqual(['address-mended'])
    expect(await answer(id)).toEqual({
      to: ['ann@ann.example'],
      cc: ['don@people.example', 'bo@people.example', 'eve@people.example'],
      leftOut: undefined,
    })
  })

  it.each(['"a b"@people.example', 'bo@[192.0.2.1]', `${'x'.repeat(70)}@people.example`])(
    'are left out of a reply to all, which says so: %s',
    async (odd) => {
      const { id, flaws } = await came({ Cc: `${odd}, bo@people.example` })
      expect(flaws).toEqual(['address-malformed'])
      expect(await answer(id)).toEqual({ to: ['ann@ann.example'], cc: ['bo@people.example'], leftOut: [odd] })
    },
  )

  it('count as absent in Reply-To', async () => {
    const quoted = await came({ 'Reply-To': "'desk@ann.example'" })
    expect(await answer(quoted.id, {})).toMatchObject({ to: ['desk@ann.example'] })
    const odd = await came({ 'Reply-To': 'desk@[192.0.2.1]' })
    expect(odd).toMatchObject({ unanswerable: null, flaws: ['address-malformed'] })
    expect(await answer(odd.id, {})).toMatchObject({ to: ['ann@ann.example'] })
    const plain = await came({ 'Reply-To': 'Desk <desk@ann.example>', Cc: 'undisclosed-recipients:;, bo' })
    expect(plain.flaws).toEqual([])
  })

  it('are refused where the caller gives them', async () => {
    const { id } = await came({})
    expect(await answer(id, { cc: ['bo@[192.0.2.1]'] })).toMatchObject({ status: 400 })
    const named = { to: [`"'ana@people.example'" <ana@people.example>`], text: 'hi' }
    expect((await service.call('POST', '/messages', { body: named })).status).toBe(200)
    const other = { to: [`"'eve@people.example'" <ana@people.example>`], text: 'hi' }
    expect((await service.call('POST', '/messages', { body: other })).status).toBe(400)
  })

  it('of more than a message may have are refused with a way out', async () => {
    const crowd = Array.from({ length: 120 }, (_, at) => `p${at}@people.example`)
    const { id } = await came({ Cc: crowd.join(', ') })
    const { status, body } = (await answer(id)) as { status: number; body: { message: string } }
    expect([status, body.message]).toEqual([400, expect.stringMatching(/without `reply_all`/)])
  })

  it('do not cost the reply its way: an id beyond ASCII is left out', async () => {
    const { id } = await came({
      'Message-ID': '<grüße@people.example>',
      References: '<ö@x.example> <a@x.example>',
    })
    const { body } = await service.call('POST', `/messages/${id}/reply`, { body: { text: 'Yes' } })
    const raw = (await service.call('GET', `/messages/${body.id}/raw`)).body as string
    expect(raw).not.toMatch(/[^\0-\x7f]/)
    expect(raw).toMatch(/^References: <a@x\.example>/m)
    expect((await service.call('GET', `/messages/${body.id}`)).body.thread_id).toBe(body.thread_id)
  })

  it('keep the type of a file that is passed on', async () => {
    const boundary = 'b1'
    const parts = [
      'Content-Type: text/plain\r\n\r\nInvitation',
      'Content-Type: text/calendar; method=REQUEST; charset=iso-8859-1\r\nContent-Disposition: attachment; filename=i.ics\r\nContent-ID: <f_1>\r\n\r\nBEGIN:VCALENDAR',
    ]
    const text = `--${boundary}\r\n${parts.join(`\r\n--${boundary}\r\n`)}\r\n--${boundary}--\r\n`
    await service.mail({
      subject: 'Invite',
      headers: { 'MIME-Version': '1.0', 'Content-Type': `multipart/mixed; boundary=${boundary}` },
      text,
    })
    const [{ id }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    const { body } = await service.call('POST', `/messages/${id}/forward`, {
      body: { to: ['bo@example.com'] },
    })
    const raw = (await service.call('GET', `/messages/${body.id}/raw`)).body as string
    expect(raw).toMatch(/Content-Type: text\/calendar; charset=iso-8859-1;\s+method=REQUEST/)
    expect(raw).not.toMatch(/multipart\/related|Content-Disposition: inline/)
  })
})
