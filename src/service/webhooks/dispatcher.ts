import type { Agent } from 'undici'
import type { Core } from '../core/context'
import { logTopic } from '../core/event-log'
import { createLookout, type Lookout, lookAgainMs } from '../core/lookout'
import { leaseDeliveries, recordAttempt, returnDelivery, webhooksDue } from '../core/webhook-attempts'
import { planDeliveries, tenantsWithWebhooks, type WebhookKey, webhooksBehind } from '../core/webhook-plan'
import { type DeliveryRow, type WebhookRow, webhooksTopic } from '../core/webhook-records'
import type { PostToEndpoint, Resolver } from '../ports'

/** An attempt is over long before, whatever the endpoint does. */
const leaseMs = 60_000
const mostAtOnce = 512
const mostPerEndpoint = 4
/** Beyond this many accounts it is cheaper to look at all. */
const mostNamed = 500

/** One that fails is only tried; it must not hold places that others could use. */
const lanesOf = (webhook: WebhookRow): number => (webhook.failing_since === null ? mostPerEndpoint : 1)

/** Options of {@link WebhookDispatcher}. */
export interface WebhookDispatcherOptions {
  core: Core
  resolver: Resolver
  /** In place of HTTP with the address guard. */
  post?: PostToEndpoint | undefined
  /** Told what became of a delivery after each attempt. */
  onAttempt?: ((status: DeliveryRow['status']) => void) | undefined
}

/**
 * Tells endpoints of events:
 *
 *     log ──plan, by the webhook's cursor──▶ pending ──lease, post──▶ delivered (2xx)
 *                                              ▲                  └──▶ dead, after the last attempt
 *                                              └──wait, else──┘
 *
 * Wake-ups say which account to look at.
 */
export class WebhookDispatcher {
  readonly #core: Core
  readonly #resolver: Resolver
  #post: Promise<PostToEndpoint> | undefined
  #connections: Agent | undefined
  readonly #stop = new AbortController()
  readonly #logs = new Map<string, () => void>()
  readonly #running = new Map<string, number>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #unsubscribe: () => void
  readonly #onAttempt: WebhookDispatcherOptions['onAttempt']
  readonly #lookout: Lookout
  #named = new Set<string>()
  #all = true
  #closing = false

  constructor({ core, resolver, post, onAttempt }: WebhookDispatcherOptions) {
    this.#core = core
    this.#onAttempt = onAttempt
    this.#resolver = resolver
    this.#post = post && Promise.resolve(post)
    this.#lookout = this.#createLookout()
    this.#unsubscribe = core.signals.subscribe(webhooksTopic, () => this.#wake())
    this.#wake()
  }

  /** Takes nothing new, lets attempts end within `graceMs`, and gives back the rest. */
  async close(graceMs = 1_000): Promise<void> {
    this.#closing = true
    this.#unsubscribe()
    for (const unsubscribe of this.#logs.values()) unsubscribe()
    const cancelGrace = this.#core.clock.after(graceMs, () => this.#stop.abort())
    await this.#lookout.close()
    await Promise.all(this.#attempts)
    cancelGrace()
    await this.#connections?.destroy()
  }

  /** Looks soon: at one account, or at all. */
  #wake(tenantId?: string): void {
    if (tenantId === undefined || this.#named.size >= mostNamed) this.#all = true
    else this.#named.add(tenantId)
    this.#lookout.wake()
  }

  #createLookout(): Lookout {
    return createLookout({
      clock: this.#core.clock,
      askAll: () => {
        this.#all = true
      },
      isAsked: () => this.#all || this.#named.size > 0,
      look: () => this.#look(),
      onError: (error) => this.#core.logger.error({ error }, 'the webhooks could not be looked at'),
    })
  }

  async #look(): Promise<void> {
    const tenantIds = this.#all ? undefined : [...this.#named]
    this.#all = false
    this.#named = new Set()
    if (!tenantIds) await this.#listen()
    await Promise.all((await webhooksBehind(this.#core, tenantIds)).map((key) => this.#plan(key)))
    await Promise.all((await webhooksDue(this.#core, tenantIds)).map((webhook) => this.#fill(webhook)))
  }

  /** Listens to the logs of all accounts with webhooks, and to no other. */
  async #listen(): Promise<void> {
    const wanted = new Set(await tenantsWithWebhooks(this.#core))
    for (const [tenantId, unsubscribe] of this.#logs) {
      if (wanted.has(tenantId)) continue
      unsubscribe()
      this.#logs.delete(tenantId)
    }
    for (const tenantId of wanted) {
      if (this.#closing || this.#logs.has(tenantId)) continue
      const wake = () => this.#wake(tenantId)
      this.#logs.set(tenantId, this.#core.signals.subscribe(logTopic(tenantId), wake))
    }
  }

  async #plan(key: WebhookKey): Promise<void> {
    try {
      if (await planDeliveries(this.#core, key)) this.#wake(key.tenantId)
    } catch (error) {
      this.#core.logger.error({ error, webhook: key.webhookId }, 'events were not put on their way')
    }
  }

  /** Takes as many deliveries as the webhook has places free. */
  async #fill(webhook: WebhookRow): Promise<void> {
    const free = Math.min(
      lanesOf(webhook) - (this.#running.get(webhook.id) ?? 0),
      mostAtOnce - this.#attempts.size,
    )
    if (free <= 0) return
    for (const row of await leaseDeliveries(this.#core, webhook, free, leaseMs)) this.#start(webhook, row)
  }

  #start(webhook: WebhookRow, row: DeliveryRow): void {
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

  /** The HTTP client is loaded with the first delivery: most services have no webhook. */
  async #connect(): Promise<PostToEndpoint> {
    const [{ createGuardedAgent }, { postToEndpoint }] = await Promise.all([
      import('../guarded-agent'),
      import('./request'),
    ])
    const allowPrivate = this.#core.settings.webhooksAllowPrivate
    const connections = createGuardedAgent({ resolver: this.#resolver, allowPrivate })
    this.#connections = connections
    return (request, signal) => postToEndpoint(connections, this.#core.clock, request, signal)
  }

  async #attempt(webhook: WebhookRow, row: DeliveryRow): Promise<void> {
    const core = this.#core
    try {
      this.#post ??= this.#connect()
      const { attempt } = await import('./attempt')
      const outcome = await attempt(core, await this.#post, webhook, row, this.#stop.signal)
      const result = await recordAttempt(core, row, outcome)
      if (!result) return
      this.#onAttempt?.(result.status)
      this.#wakeAt(webhook.tenant_id, result.dueMs)
    } catch (error) {
      if (!this.#stop.signal.aborted)
        return core.logger.error({ error, delivery: row.id }, 'webhook attempt failed')
      await returnDelivery(core, row).catch(() => {}) // the lease runs out by itself
    }
  }

  /** What is due before the next look at all is looked at in time. */
  #wakeAt(tenantId: string, dueMs: number | null): void {
    const inMs = dueMs === null ? Number.POSITIVE_INFINITY : dueMs - this.#core.clock.now()
    if (inMs <= 2 * lookAgainMs) this.#core.clock.after(inMs, () => this.#wake(tenantId))
  }
}
