import { createHash } from 'node:crypto'
import type { Event } from '../../protocol/records/event'
import { webhookSecret } from '../../protocol/webhook-secret'
import { signWebhook } from '../../protocol/webhook-signature'
import { clockTime, duration, type Output, paint, printable } from '../base/output'

const timeoutMs = 15_000

/**
 * Derives the signing secret for forwarded events from the key: it stays the same, and nobody else knows it.
 */
export const forwardSecret = (apiKey: string): string =>
  webhookSecret(createHash('sha256').update(`restante listen --forward\n${apiKey}`).digest())

async function post(url: string, secret: string, event: Event): Promise<number> {
  const body = JSON.stringify(event)
  const signed = await signWebhook([secret], { id: event.id, timestampMs: Date.now(), body })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'restante-webhooks/1' }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  const text = await response.text()
  if (response.ok) return response.status
  throw new Error(`the endpoint answered ${response.status}${text && `: ${printable(text, 200)}`}`)
}

const reasonOf = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} seconds`
  return cause?.code === 'ECONNREFUSED'
    ? 'no server listens at this address (ECONNREFUSED)'
    : (cause?.code ?? message)
}

/** Posts events like the webhooks of the service, with their signature, and prints each result. */
interface Forwarder {
  /** Posts an event once; failures are not retried. */
  forward(event: Event): void
  /** Waits for all running requests. */
  close(): Promise<void>
}

/** @param secret `whsec_…` */
export function createForwarder(url: string, secret: string, output: Output): Forwarder {
  const running = new Set<Promise<void>>()

  async function tell(event: Event): Promise<void> {
    const begun = performance.now()
    const facts = { event: 'forwarded', event_id: event.id, type: event.type, url }
    const what = printable(event.type)
    try {
      const status = await post(url, secret, event)
      const took = duration(performance.now() - begun)
      output.tell(`${clockTime()}  ${paint('green', String(status))} for ${what}, after ${took}`, {
        ...facts,
        status,
      })
    } catch (error) {
      const why = reasonOf(error)
      output.tell(`${clockTime()}  ${paint('red', 'failed')} for ${what}: ${why}`, { ...facts, error: why })
    }
  }

  return {
    forward(event) {
      const sent = tell(event).finally(() => running.delete(sent))
      running.add(sent)
    },
    close: async () => void (await Promise.all(running)),
  }
}
