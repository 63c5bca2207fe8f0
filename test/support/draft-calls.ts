import { expect } from 'vitest'
import type { Drafting } from './drafting'

const minuteMs = 60_000

/** What tests do with drafts, as the account of the service or with another key. */
export function draftCalls(drafting: Drafting) {
  const call: Drafting['call'] = (...args) => drafting.call(...args)
  const draft = (body: object = {}, key?: string) =>
    call('POST', '/drafts', { body: { inbox_id: drafting.home.inboxId, ...body }, ...(key && { key }) })
  const whole = (more: object = {}) => ({ to: ['bo@example.com'], subject: 'Hi', text: 'hello', ...more })
  const made = async (body: object, key?: string) => {
    const answer = await draft(body, key)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }
  const read = async (id: string) => (await call('GET', `/drafts/${id}`)).body
  const content = async (id: string) => (await call('GET', `/drafts/${id}?include=content`)).body
  const change = (id: string, body: object, key?: string) =>
    call('PATCH', `/drafts/${id}`, { body, ...(key && { key }) })
  const send = (id: string, body?: object, key?: string) =>
    call('POST', `/drafts/${id}/send`, { ...(body && { body }), ...(key && { key }) })
  const outbox = async () => (await call('GET', '/messages?direction=outbound&limit=100')).body.messages
  const message = async (id: string) => (await call('GET', `/messages/${id}`)).body
  const in1h = () => new Date(drafting.clock.now() + 60 * minuteMs).toISOString()
  /**
   * Time goes on while it is waited for: a queue that was just being looked at is looked at again. It goes slowly, so
   * that a machine under load does not lose a lease before the work is done.
   */
  const goingOn = <T>(ask: () => Promise<T>) => {
    let asked = 0
    return expect.poll(
      () => {
        if (asked++ % 10 === 0) drafting.clock.jump(5_000)
        return ask()
      },
      { interval: 20 },
    )
  }
  const settled = (id: string) => goingOn(async () => (await read(id)).status)
  const events = async (id: string) => {
    const { body } = await call('GET', '/events?after=0&limit=500')
    return body.events.filter((event: { data: { id: string } }) => event.data.id === id)
  }
  const arrived = async (mail: object = {}) => {
    await drafting.mail(mail)
    return (await call('GET', '/messages?direction=inbound')).body.messages[0]
  }

  return {
    call,
    draft,
    whole,
    made,
    read,
    content,
    change,
    send,
    outbox,
    message,
    in1h,
    goingOn,
    settled,
    events,
    arrived,
  }
}
