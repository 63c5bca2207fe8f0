import type { Agent } from 'undici'
import { traced } from '../../protocol/trace'
import { loadLater, once } from '../base/load-later'
import { logTopic } from '../log/event-log'
import { createPoller, type Poller, pollEveryMs } from '../log/poller'
import { loadHttpClient } from '../net/http-client'
import type { PostToEndpoint, Resolver } from '../ports'
import { attempt } from './attempt'
import { leaseDispatches, recordAttempt, returnDispatch, webhooksDue } from './attempts'
import { planDispatches, tenantsWithWebhooks, type WebhookKey, webhooksBehind } from './plan'
import type { WebhookPorts } from './ports'
import { type DispatchRow, type WebhookRow, webhooksTopic } from './records'

const loadRequest = loadLater(() => import('./request'))

/** Longer than any attempt takes; dispatches of a node that died are taken over soon after. */
const leaseMs = 22_000
const maxAtOnce = 512
const maxPerEndpoint = 4
/** Beyond this many accounts it is cheaper to look at all. */
const maxNamed = 500

/** Returns the concurrent attempts of a webhook: one if it fails, so that others keep the slots. */
const lanesOf = (webhook: WebhookRow): number => (webhook.failing_since === null ? maxPerEndpoint : 1)

/** Options of {@link WebhookDispatcher}. */
interface WebhookDispatcherOptions {
  ports: WebhookPorts
  resolver: Resolver
  /** Replaces HTTP with the address guard. */
  post?: PostToEndpoint | undefined
  /** Called with the status of a dispatch after each attempt. */
  onAttempt?: ((status: DispatchRow['status']) => void) | undefined
}

/**
 * Sends events to endpoints:
 *
 *     log ──plan, by the webhook's cursor──▶ pending ──lease, post──▶ delivered (2xx)
 *                                              ▲                  └──▶ dead, after the last attempt
 *                                              └──wait, else──┘
 *
 * Wake-ups name the account to look at.
 */
export class WebhookDispatcher {
  readonly #ports: WebhookPorts
  readonly #resolver: Resolver
  readonly #post: () => Promise<PostToEndpoint>
  #connections: Agent | undefined
  readonly #stop = new AbortController()
  readonly #logs = new Map<string, () => void>()
  readonly #running = new Map<string, number>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #unsubscribe: () => void
  readonly #onAttempt: WebhookDispatcherOptions['onAttempt']
  readonly #poller: Poller
  #named = new Set<string>()
  #all = true
  #closing = false

  constructor({ ports, resolver, post, onAttempt }: WebhookDispatcherOptions) {
    this.#ports = ports
    this.#onAttempt = onAttempt
    this.#resolver = resolver
    this.#post = once(async () => post ?? this.#connect())
    this.#poller = this.#createPoller()
    this.#unsubscribe = ports.signals.subscribe(webhooksTopic, () => this.#wake())
    this.#wake()
  }

  /** Leases nothing new, lets attempts end within `graceMs`, and gives back the rest. */
  async close(graceMs = 1_000): Promise<void> {
    this.#closing = true
    this.#unsubscribe()
    for (const unsubscribe of this.#logs.values()) unsubscribe()
    const cancelGrace = this.#ports.clock.background(graceMs, () => this.#stop.abort())
    await this.#poller.close()
    await Promise.all(this.#attempts)
    cancelGrace()
    await this.#connections?.destroy()
  }

  /** Polls soon: one account, or all. */
  #wake(tenantId?: string): void {
    if (tenantId === undefined || this.#named.size >= maxNamed) this.#all = true
    else this.#named.add(tenantId)
    this.#poller.wake()
  }

  #createPoller(): Poller {
    return createPoller({
      clock: this.#ports.clock,
      askAll: () => {
        this.#all = true
      },
      isAsked: () => this.#all || this.#named.size > 0,
      poll: () => this.#poll(),
      onError: (error) => this.#ports.logger.error({ error }, 'the webhooks could not be read'),
    })
  }

  async #poll(): Promise<void> {
    const tenantIds = this.#all ? undefined : [...this.#named]
    this.#all = false
    this.#named = new Set()
    if (!tenantIds) await this.#listen()
    await Promise.all((await webhooksBehind(this.#ports, tenantIds)).map((key) => this.#plan(key)))
    const due = await webhooksDue(this.#ports, tenantIds)
    // As many at a time as cannot exceed the bound together.
    for (let at = 0; at < due.length; ) {
      const endpoints = Math.max(1, Math.floor((maxAtOnce - this.#attempts.size) / maxPerEndpoint))
      await Promise.all(due.slice(at, at + endpoints).map((webhook) => this.#fill(webhook)))
      at += endpoints
    }
  }

  /** Subscribes to the logs of all accounts with webhooks, and to no others. */
  async #listen(): Promise<void> {
    const wanted = new Set(await tenantsWithWebhooks(this.#ports))
    for (const [tenantId, unsubscribe] of this.#logs) {
      if (wanted.has(tenantId)) continue
      unsubscribe()
      this.#logs.delete(tenantId)
    }
    for (const tenantId of wanted) {
      if (this.#closing || this.#logs.has(tenantId)) continue
      const wake = () => this.#wake(tenantId)
      this.#logs.set(tenantId, this.#ports.signals.subscribe(logTopic(tenantId), wake))
    }
  }

  async #plan(key: WebhookKey): Promise<void> {
    try {
      if (await planDispatches(this.#ports, key)) this.#wake(key.tenantId)
    } catch (error) {
      this.#ports.logger.error({ error, webhook: key.webhookId }, 'events could not be queued for webhooks')
    }
  }

  /** Leases as many dispatches as the webhook may attempt now. */
  async #fill(webhook: WebhookRow): Promise<void> {
    const free = Math.min(
      lanesOf(webhook) - (this.#running.get(webhook.id) ?? 0),
      maxAtOnce - this.#attempts.size,
    )
    if (free <= 0) return
    for (const row of await leaseDispatches(this.#ports, webhook, free, leaseMs)) this.#start(webhook, row)
  }

  #start(webhook: WebhookRow, row: DispatchRow): void {
    this.#running.set(webhook.id, (this.#running.get(webhook.id) ?? 0) + 1)
    const running: Promise<void> = this.#attempt(webhook, row).finally(() => {
      this.#attempts.delete(running)
      this.#leave(webhook.id)
      this.#wake(webhook.tenant_id)
    })
    this.#attempts.add(running)
  }

  #leave(webhookId: string): void {
    const left = this.#running.get(webhookId)! - 1
    if (left === 0) this.#running.delete(webhookId)
    else this.#running.set(webhookId, left)
  }

  /** The HTTP client is loaded with the first dispatch: most services have no webhook. */
  async #connect(): Promise<PostToEndpoint> {
    const [{ createGuardedAgent }, { postToEndpoint }] = await Promise.all([loadHttpClient(), loadRequest()])
    const allowPrivate = this.#ports.settings.webhooksAllowPrivate
    const connections = createGuardedAgent({ resolver: this.#resolver, allowPrivate })
    this.#connections = connections
    return (request, signal) => postToEndpoint(connections, this.#ports.clock, request, signal)
  }

  async #attempt(webhook: WebhookRow, row: DispatchRow): Promise<void> {
    const ports = this.#ports
    try {
      const post = await this.#post()
      const attributes = { 'restante.webhook_id': webhook.id, 'restante.event_type': row.event_type }
      const span = { kind: 'producer', root: true, attributes } as const
      const outcome = await traced('attempt webhook', span, () =>
        attempt(ports, post, webhook, row, this.#stop.signal),
      )
      const result = await recordAttempt(ports, row, outcome)
      if (!result) return
      this.#onAttempt?.(result.status)
      this.#wakeAt(webhook.tenant_id, result.dueMs)
    } catch (error) {
      if (!this.#stop.signal.aborted)
        return ports.logger.error({ error, dispatch: row.id }, 'webhook attempt failed')
      await returnDispatch(ports, row).catch(() => {}) // the lease expires by itself
    }
  }

  /** Schedules a poll for a dispatch that is due soon. */
  #wakeAt(tenantId: string, dueMs: number | null): void {
    const inMs = dueMs === null ? Number.POSITIVE_INFINITY : dueMs - this.#ports.clock.now()
    if (inMs <= 2 * pollEveryMs) this.#ports.clock.background(inMs, () => this.#wake(tenantId))
  }
}
