import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler as createModernHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { checkOptions, type Mailbox, type OptionNames, UsageError } from 'restante'
import { type AdmissionOptions, refuse } from './mcp/admission'
import { Changes } from './mcp/changes'
import { createPeer, type Peer, type Shared, share } from './mcp/peer'
import { Accounts, Sessions } from './mcp/sessions'
import type { ToolboxOptions } from './tools'
import { checkList } from './tools/flow'
import { toolboxNames } from './tools/toolbox'

export type { AdmissionOptions } from './mcp/admission'

/**
 * Options of the tools and resources. The protocol has no human to ask: a message that needs approval becomes
 * a draft that waits. Waits last at most 45 seconds by default, since many clients give up after 60.
 */
export type McpOptions = Omit<ToolboxOptions, 'message'>

/** Options of {@link createMcpHandler}: those of the tools, and access control. */
export interface McpHandlerOptions extends McpOptions, AdmissionOptions {}

const { message: _message, ...toolNames } = toolboxNames
const names: OptionNames<McpOptions> = toolNames
const handlerNames: OptionNames<McpHandlerOptions> = { ...toolNames, hosts: true, token: 'string' }

/** Handler of protocol requests: a function of a web `Request`, for Hono, Next, workers, Deno and Bun. */
export interface McpHandler extends AsyncDisposable {
  (request: Request): Promise<Response>
  /** Handles a request of Node's own server, Express, and others that expose its `req` and `res`. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends every session and stream. The mailbox stays open. */
  close(): Promise<void>
}

const sharedOf = (mailbox: Mailbox, { maxWaitSeconds = 45, ...options }: McpOptions): Shared =>
  share(mailbox, { ...options, maxWaitSeconds })

/**
 * Gives clients of the Model Context Protocol access to a mailbox over streamable HTTP. They get the tools of
 * `restante/tools`, threads and messages as resources, and notifications of new messages for subscribers. It
 * serves both revisions, 2025-11-25 with sessions and 2026-07-28 without. All clients of a handler together
 * answer a message once.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createMcpHandler } from 'restante/mcp'
 *
 * const handler = createMcpHandler(mailbox, { token: process.env.MCP_TOKEN, readOnly: true })
 * createServer(handler.node).listen(3000, '127.0.0.1')
 * ```
 */
export function createMcpHandler(mailbox: Mailbox, options: McpHandlerOptions = {}): McpHandler {
  checkOptions('createMcpHandler()', options, handlerNames)
  const { hosts, token, ...rest } = options
  checkList('hosts', hosts)
  if (token === '')
    throw new UsageError('invalid_options', 'token is empty: leave it out to let everybody in, or set it')
  const shared = sharedOf(mailbox, rest)
  const sessions = new Sessions(shared)
  const accounts = new Accounts(shared.toolbox)
  const modern = createModernHandler(
    ({ era, requestInfo }) =>
      createPeer(shared, era, accounts.of(requestInfo?.headers.get('authorization') ?? '')).server,
    { legacy: 'reject' },
  )
  const changes = new Changes()
  const stop = mailbox.on('event', (event) => {
    const change = changes.of(event)
    if (!change) return
    sessions.tell(change)
    for (const uri of change.uris) modern.notify.resourceUpdated(uri)
    if (change.list) modern.notify.resourcesChanged()
  })
  const answer = async (request: Request, parsedBody?: unknown): Promise<Response> => {
    const refused = await refuse(request, { hosts, token })
    if (refused) return refused
    return (await isLegacyRequest(request, parsedBody))
      ? sessions.handle(request, parsedBody)
      : modern.fetch(request, { parsedBody })
  }
  const node = async (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => {
    const { getRequestListener } = await import('@hono/node-server')
    // A body that a parser has read cannot be read again.
    const parsedBody = request.readableEnded ? request.body : undefined
    await getRequestListener((web) => answer(web, parsedBody), { overrideGlobalObjects: false })(
      request,
      response,
    )
  }
  const close = async () => {
    stop()
    sessions.close()
    await modern.close()
  }
  return Object.assign((request: Request) => answer(request), { node, close, [Symbol.asyncDispose]: close })
}

/** Mailbox served on standard input and output. */
export interface McpStdio extends AsyncDisposable {
  /** Resolves when the client has closed standard input. */
  readonly closed: Promise<void>
  /** Ends the connection. The mailbox stays open. */
  close(): Promise<void>
}

/**
 * Gives one client of the Model Context Protocol access to a mailbox on standard input and output, as
 * {@link createMcpHandler} does over HTTP. Nothing else may write to standard output.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { serveMcp } from 'restante/mcp'
 *
 * await using serving = serveMcp(mailbox, { approve: 'send' })
 * await serving.closed
 * ```
 */
export function serveMcp(mailbox: Mailbox, options: McpOptions = {}): McpStdio {
  checkOptions('serveMcp()', options, names)
  const shared = sharedOf(mailbox, options)
  let peer: Peer | undefined
  const handle = serveStdio(({ era }) => {
    peer = createPeer(shared, era)
    return peer.server
  })
  const changes = new Changes()
  const stop = mailbox.on('event', (event) => {
    const change = changes.of(event)
    if (change) peer?.tell(change)
  })
  const { promise: closed, resolve } = deferred()
  process.stdin.once('end', resolve).once('close', resolve)
  const close = async () => {
    stop()
    await handle.close()
    resolve()
  }
  return { closed, close, [Symbol.asyncDispose]: close }
}

/** Stands in for `Promise.withResolvers`, which Node 20 lacks. */
const deferred = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
