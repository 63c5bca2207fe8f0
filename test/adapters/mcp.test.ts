import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import express from 'express'
import { createMcpHandler, type McpHandlerOptions } from 'restante/mcp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { connectMcp, type Era, eras } from '../support/mcp-client'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'

const [old, current] = eras

/** A mailbox, its handler on a real port, and clients of it. */
const openMcp = async (options: McpHandlerOptions = {}) => {
  const real = await openReal()
  const handler = createMcpHandler(real.mailbox, options)
  const app = express()
  app.all('/mcp', (request, response) => handler.node(request, response))
  app.all('/parsed', express.json(), (request, response) => handler.node(request, response))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const clients: { close(): Promise<void> }[] = []
  const connect = async (era: Era = old, path = '/mcp') => {
    const connected = await connectMcp(new StreamableHTTPClientTransport(new URL(path, url)), era)
    clients.push(connected.client)
    return connected
  }
  return {
    ...{ real, handler, url, connect },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client.close()
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await real[Symbol.asyncDispose]()
    },
  }
}

const post = (url: string, method: string, headers: Record<string, string> = {}) =>
  new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  })

proves(
  'Model Context Protocol 2025-11, 2026-07',
  'tools',
  'clients of both revisions find, read and answer a mail, once between them',
  async () => {
    await using world = await openMcp()
    const { real, connect } = world
    const { handle } = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
    const clients = [await connect(old), await connect(current, '/parsed')]
    for (const { client, call } of clients) {
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(19)
      expect(tools.find(({ name }) => name === 'read_thread')).toMatchObject({
        title: 'Read thread',
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        },
        outputSchema: { type: 'object', properties: { mail: { type: 'string' } } },
      })
      expect(tools.find(({ name }) => name === 'label')?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: false,
        openWorldHint: false,
      })
      expect(tools.find(({ name }) => name === 'send_mail')?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      })
      expect(client.getInstructions()).toContain(real.mailbox.address)
      const found = await call('search_mail', { query: 'blue' })
      expect(found.text).toContain('subject "Bicycle"')
      expect(found.structuredContent).toMatchObject({ status: 'ok', mail: found.text })
      expect((await call('read_message', { message: handle })).text).toContain('Is it blue?')
      expect(await call('read_message', { message: `m9${handle.slice(1)}` })).toMatchObject({
        isError: true,
        text: expect.stringContaining('unknown_handle'),
      })
    }
    const answers = await Promise.all(
      clients.map(({ call }) => call('reply', { message: handle, text: 'Yes.' })),
    )
    expect(answers.map(({ isError = false }) => isError).sort()).toEqual([false, true])
    expect(answers.find(({ isError }) => isError)?.text).toContain('already_replied')
    expect(answers.find(({ isError }) => !isError)?.structuredContent).toMatchObject({ status: 'sent' })
    expect(await real.sentMail()).toHaveLength(1)
  },
)

proves(
  'Model Context Protocol 2025-11, 2026-07',
  'approval',
  'mail to somebody new, or that options want approved, is a draft that waits',
  async () => {
    for (const options of [{}, { approve: 'send', flow: 'off' }] as const) {
      await using world = await openMcp(options)
      const { real, connect } = world
      for (const era of eras) {
        const { call } = await connect(era)
        const mail = { to: 'new@other.example', subject: era.revision, text: 'Hello' }
        const answer = await call('send_mail', mail)
        expect(answer.structuredContent).toMatchObject({ status: 'waiting_for_approval' })
        const [draft] = (await real.mailbox.drafts.list()).items
        expect(answer.structuredContent).toMatchObject({ draft: draft?.id })
        expect(draft).toMatchObject({ subject: era.revision, status: 'draft' })
      }
      expect(await real.sentMail()).toHaveLength(0)
    }
  },
)

test('a client that begins anew and makes the same call sends the mail again', async () => {
  await using world = await openMcp({ flow: 'off' })
  const mail = { to: 'bo@other.example', subject: 'Good morning', text: 'Hello' }
  for (const era of [...eras, ...eras]) {
    const { call } = await world.connect(era)
    expect((await call('send_mail', mail)).structuredContent).toMatchObject({ status: 'sent' })
  }
  expect(await world.real.sentMail()).toHaveLength(4)
})

describe.each(eras)('resources of $revision', (era) => {
  test('list threads and messages in pages, and read them', async () => {
    await using world = await openMcp()
    const { real, connect } = world
    for (let count = 0; count < 30; count += 1) await real.real.mail({ subject: `Mail ${count}` })
    const { id, threadId } = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
    const { client, read } = await connect(era)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'restante://threads/{id}',
      'restante://messages/{id}',
    ])
    const first = await client.listResources({ cursor: undefined })
    const uris = first.resources.map(({ uri }) => uri)
    expect(uris.slice(0, 2)).toEqual(['restante://inbox', `restante://threads/${threadId}`])
    let { nextCursor } = first
    for (let pages = 1; nextCursor !== undefined; pages += 1) {
      expect(pages).toBeLessThan(5)
      const page = await client.listResources({ cursor: nextCursor })
      uris.push(...page.resources.map(({ uri }) => uri))
      nextCursor = page.nextCursor
    }
    expect(uris).toContain(`restante://messages/${id}`)
    expect(new Set(uris).size).toBe(1 + 31 + 31)
    expect(await read(`restante://messages/${id}`)).toContain('Is it blue?')
    expect(await read(`restante://threads/${threadId}`)).toContain('Is it blue?')
    expect(await read('restante://inbox')).toContain('subject "Bicycle"')
    await expect(client.listResources({ cursor: 'threads:x' })).rejects.toThrow('no cursor')
    await expect(client.listResources({ cursor: 'x' })).rejects.toThrow('no cursor')
    for (const uri of ['restante://messages/msg_0000000000000000', 'restante://x', 'file:///etc/passwd'])
      await expect(read(uri)).rejects.toThrow(/not found/i)
  })

  proves(
    'Model Context Protocol 2025-11, 2026-07',
    'streaming',
    'who subscribed hears of new mail, and nobody else',
    async () => {
      await using world = await openMcp()
      const { real, connect } = world
      const { threadId } = await real.receive({ subject: 'Bicycle', messageId: '<first@example.com>' })
      const thread = `restante://threads/${threadId}`
      const [whole, one, none] = [await connect(era), await connect(era), await connect(era)]
      await whole.follow('restante://inbox')
      await one.follow(thread)
      await real.receive({ subject: 'Another' })
      await expect.poll(() => whole.heard).toContain('restante://inbox')
      await expect.poll(() => one.heard).toContain('list')
      expect(one.heard).not.toContain(thread)
      await real.receive({ subject: 'Re: Bicycle', inReplyTo: '<first@example.com>' })
      await expect.poll(() => one.heard).toContain(thread)
      expect(one.heard).not.toContain('restante://inbox')
      expect(none.heard.filter((heard) => heard !== 'list')).toEqual([])
    },
  )

  test('follow a thread that became part of another, and read it under the id it had', async () => {
    await using world = await openMcp()
    const { real, connect } = world
    const { threadId: older } = await real.receive({ subject: 'Bicycle', messageId: '<one@example.com>' })
    const { threadId: younger } = await real.receive({ subject: 'Colour', messageId: '<two@example.com>' })
    expect(younger).not.toBe(older)
    const followed = `restante://threads/${younger}`
    const { heard, follow, read } = await connect(era)
    await follow(followed)
    const references = ['<one@example.com>', '<two@example.com>']
    const joined = await real.receive({ subject: 'Re: Bicycle', text: 'Both.', references })
    expect(joined.threadId).toBe(older)
    await expect.poll(() => heard).toContain(followed)
    heard.length = 0
    await real.receive({ subject: 'Re: Bicycle', text: 'To the older.', inReplyTo: '<one@example.com>' })
    await expect.poll(() => heard).toContain(followed)
    expect(await read(followed)).toMatch(/Both\..*To the older\./s)
  })

  test('are refused where the tools would refuse the mail', async () => {
    await using world = await openMcp({ only: ['read_thread', 'send_mail'] })
    const { real, connect } = world
    const { id, threadId } = await real.receive()
    const { client, read } = await connect(era)
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'read_thread',
      'send_mail',
    ])
    const { resources, nextCursor } = await client.listResources({ cursor: undefined })
    expect(resources.map(({ uri }) => uri)).toEqual([`restante://threads/${threadId}`])
    expect(nextCursor).toBeUndefined()
    await expect(read(`restante://messages/${id}`)).rejects.toThrow(/not found/i)
    await expect(read('restante://inbox')).rejects.toThrow(/not found/i)
  })
})

test('a client of 2025 subscribes to what there is, and ends it', async () => {
  await using world = await openMcp()
  const { client, heard, follow } = await world.connect(old)
  await expect(follow('restante://nothing')).rejects.toThrow(/not found/i)
  await follow('restante://inbox')
  await client.unsubscribeResource({ uri: 'restante://inbox' })
  await world.real.receive()
  await expect.poll(() => heard).toContain('list')
  expect(heard).not.toContain('restante://inbox')
})

test('instructions in any part of a mail stay between the marks', async () => {
  await using world = await openMcp({ flow: 'refuse' })
  const { real, connect } = world
  const mails = []
  for (const [where, mail] of hostileMails)
    mails.push([where, await real.receive({ text: 'Hello', ...mail })] as const)
  const clients = [await connect(old), await connect(current)]
  for (const { client, call, read } of clients) {
    for (const [where, { id, threadId, handle: message }] of mails) {
      const reported = [await read(`restante://threads/${threadId}`), await read(`restante://messages/${id}`)]
      for (const name of ['read_message', 'read_attachment']) {
        const { text, structuredContent } = await call(name, { message })
        reported.push(text, String((structuredContent as { mail?: string } | undefined)?.mail))
      }
      for (const text of reported) expect(escaped(text), where).toEqual([])
      const refused = await call('reply', { message, text: 'Hm', reply_all: true })
      expect(refused.text, where).not.toMatch(/[\u200b\u202e]|im_start/)
    }
    for (const name of ['list_threads', 'search_mail']) expect(escaped((await call(name)).text)).toEqual([])
    expect(escaped(await read('restante://inbox'))).toEqual([])
    expect(escaped(JSON.stringify(await client.listResources()))).toEqual([])
  }
})

test('a picture is image content, and no part of the structured answer', async () => {
  await using world = await openMcp()
  const { handle: message } = await world.real.receive({ attachments: [photoFile] })
  for (const era of [old, current]) {
    const { client } = await world.connect(era)
    const answer = await client.callTool({ name: 'read_attachment', arguments: { message } })
    expect(answer.content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/png', data: photo.toString('base64') },
    ])
    expect(answer.structuredContent).not.toHaveProperty('pictures')
  }
})

test('a picture counts for ten minutes, since a connection has no runs', async () => {
  await using world = await openMcp({ pictures: { maxCount: 1 } })
  const { handle: message } = await world.real.receive({ attachments: [photoFile] })
  const { client } = await world.connect(current)
  const isRefused = async () =>
    (await client.callTool({ name: 'read_attachment', arguments: { message } })).isError === true
  expect([await isRefused(), await isRefused()]).toEqual([false, true])
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 60_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await isRefused()).toBe(false)
})

describe('who is let in', () => {
  test('is not a request to another name, or from another page', async () => {
    await using real = await openReal()
    await using handler = createMcpHandler(real.mailbox)
    expect((await handler(post('http://localhost/mcp', 'initialize'))).status).toBe(200)
    for (const request of [
      post('http://evil.example/mcp', 'initialize'),
      post('http://localhost/mcp', 'initialize', { host: 'evil.example' }),
      post('http://localhost/mcp', 'initialize', { origin: 'https://evil.example' }),
    ])
      expect((await handler(request)).status).toBe(403)
    await using named = createMcpHandler(real.mailbox, { hosts: ['mail.example'] })
    expect((await named(post('https://mail.example/mcp', 'initialize'))).status).toBe(200)
  })

  test('needs the token where one is set', async () => {
    await using real = await openReal()
    await using handler = createMcpHandler(real.mailbox, { token: 'open-sesame' })
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer open',
      'Bearer open-sesame2',
      'Basic open-sesame',
    ]) {
      const answer = await handler(
        post('http://localhost/mcp', 'initialize', authorization === undefined ? {} : { authorization }),
      )
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    const authorization = 'Bearer open-sesame'
    expect((await handler(post('http://localhost/mcp', 'initialize', { authorization }))).status).toBe(200)
    expect(() => createMcpHandler(real.mailbox, { token: '' })).toThrow('token is empty')
  })

  test('makes room for a new session by ending the one that was quiet longest', async () => {
    await using real = await openReal()
    await using handler = createMcpHandler(real.mailbox, { only: ['account_status'] })
    const begin = async () => {
      const begun = await handler(post('http://localhost/mcp', 'initialize'))
      await begun.text()
      return { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    }
    const statusOf = async (headers: Record<string, string>) => {
      const answer = await handler(post('http://localhost/mcp', 'tools/list', headers))
      await answer.text()
      return answer.status
    }
    const sessions: Record<string, string>[] = []
    for (let count = 0; count < 256; count += 1) sessions.push(await begin())
    const [first = {}, second = {}, third = {}] = sessions
    expect(await statusOf(first)).toBe(200)
    await begin()
    expect([await statusOf(second), await statusOf(first), await statusOf(third)]).toEqual([404, 200, 200])
  })

  test('begins a session by initialize, and ends it by DELETE, after which it is unknown', async () => {
    await using real = await openReal()
    await using handler = createMcpHandler(real.mailbox)
    expect((await handler(post('http://localhost/mcp', 'tools/list'))).status).toBe(400)
    const begun = await handler(post('http://localhost/mcp', 'initialize'))
    const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    await begun.text()
    const list = () => handler(post('http://localhost/mcp', 'tools/list', headers))
    expect((await list()).status).toBe(200)
    const end = new Request('http://localhost/mcp', { method: 'DELETE', headers })
    expect((await handler(end)).status).toBe(200)
    const gone = await list()
    expect(gone.status).toBe(404)
    expect(await gone.json()).toMatchObject({ error: { message: expect.stringContaining('initialize') } })
  })
})
