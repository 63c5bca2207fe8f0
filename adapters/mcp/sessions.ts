import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { Toolbox } from '../tools'
import type { Change } from './changes'
import { createPeer, type Peer, type Shared } from './peer'

interface Session {
  readonly peer: Peer
  readonly transport: WebStandardStreamableHTTPServerTransport
}

/**
 * Maximum number of sessions. Clients often leave without closing theirs, so the longest idle one is closed;
 * its client gets 404 and must initialize again.
 */
const maxSessions = 256

/** Sessions of clients of the 2025 protocol. */
export class Sessions {
  readonly #shared: Shared
  readonly #open = new LRUCache<string, Session>({
    max: maxSessions,
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
    // Only an initialize request starts a session.
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

const idleMs = 60 * 60_000
const maxAccounts = 256

/**
 * Tools of clients without a session: one toolbox for each token. It keeps track of what the model was shown,
 * until it was unused for an hour.
 */
export class Accounts {
  readonly #make: () => Toolbox
  readonly #held = new Map<string, { toolbox: Toolbox; usedAt: number }>()

  constructor(make: () => Toolbox) {
    this.#make = make
  }

  /** @param token `Authorization` header of the request; empty if it has none */
  of(token: string): Toolbox {
    const now = Date.now()
    for (const [key, { usedAt }] of this.#held) if (now - usedAt > idleMs) this.#held.delete(key)
    const toolbox = this.#held.get(token)?.toolbox ?? this.#make()
    this.#held.delete(token)
    this.#held.set(token, { toolbox, usedAt: now })
    for (const key of this.#held.keys()) {
      if (this.#held.size <= maxAccounts) break
      this.#held.delete(key)
    }
    return toolbox
  }
}
