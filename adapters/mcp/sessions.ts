import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { Change } from './changes'
import { createPeer, type Peer, type Shared } from './peer'

interface Session {
  readonly peer: Peer
  readonly transport: WebStandardStreamableHTTPServerTransport
}

/** Clients come and go without a word: the one that was quiet longest makes room, and is told to begin anew. */
const mostSessions = 256

/** Clients of the protocol of 2025, which keep a session over many requests. */
export class Sessions {
  readonly #shared: Shared
  readonly #open = new LRUCache<string, Session>({
    max: mostSessions,
    dispose: ({ peer }) => void peer.server.close().catch(() => {}),
  })

  constructor(shared: Shared) {
    this.#shared = shared
  }

  async handle(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? await this.#create() : this.#open.get(id)
    if (!session) return unknownSession()
    const response = await session.transport.handleRequest(request, { parsedBody })
    // What was no initialize begins no session.
    if (session.transport.sessionId === undefined) await session.peer.server.close()
    return response
  }

  tell(change: Change): void {
    for (const { peer } of this.#open.values()) peer.tell(change)
  }

  close(): void {
    this.#open.clear()
  }

  async #create(): Promise<Session> {
    const peer = createPeer(this.#shared, 'legacy')
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.#open.set(id, { peer, transport }),
      onsessionclosed: (id) => void this.#open.delete(id),
    })
    await peer.server.connect(transport)
    return { peer, transport }
  }
}

const unknownSession = () =>
  Response.json(
    {
      jsonrpc: '2.0',
      error: { code: -32_001, message: 'There is no such session: send initialize anew.' },
      id: null,
    },
    { status: 404 },
  )
