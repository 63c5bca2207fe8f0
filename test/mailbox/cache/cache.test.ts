import type { Event } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import { Cache } from '../../../src/mailbox/cache/cache'
import { inboxRecord, messageRecord, threadRecord } from '../support/records'

const event = (type: string, data: { id: string; seq: number } & Record<string, unknown>): Event => ({
  id: `evt_${data.seq}`,
  type,
  seq: data.seq,
  inbox_id: 'inb_a',
  created_at: '2026-01-31T12:00:00.000Z',
  data,
})

function filled(): Cache {
  const cache = new Cache()
  cache.put('inbox', inboxRecord('a'))
  cache.put('message', messageRecord({ labels: ['red', 'blue'], label_ids: ['lbl_1', 'lbl_2'] }))
  cache.put('thread', threadRecord({ labels: ['red'], label_ids: ['lbl_1'] }))
  cache.putBody(messageRecord(), { body_text: 'x', body_html: null, headers: [], codes: [], links: [] })
  return cache
}

describe('the cache', () => {
  it('S2: shows the new name of a label, and none that is gone', () => {
    const cache = filled()
    cache.apply(event('label.updated', { id: 'lbl_1', name: 'rot', created_at: '', seq: 5 }))
    expect(cache.get('message', 'msg_1')?.labels).toEqual(['rot', 'blue'])
    expect(cache.get('thread', 'thr_1')?.labels).toEqual(['rot'])
    cache.apply(event('label.deleted', { id: 'lbl_1', seq: 6 }))
    expect(cache.get('message', 'msg_1')).toMatchObject({ labels: ['blue'], label_ids: ['lbl_2'] })
    expect(cache.get('thread', 'thr_1')).toMatchObject({ labels: [], label_ids: [] })
  })

  it('S2: keeps the newer name that a read has brought, until the log has it', () => {
    const cache = filled()
    const label = { id: 'lbl_1', name: 'rouge', created_at: '', seq: 9 }
    cache.labels.fill([label as never])
    cache.apply(event('label.updated', { ...label, name: 'rot', seq: 5 }))
    expect(cache.labels.all).toMatchObject([{ name: 'rouge' }])
    expect(cache.get('message', 'msg_1')?.labels).not.toContain('rot')
    cache.apply(event('label.updated', { ...label, name: 'roja', seq: 10 }))
    expect(cache.labels.all).toMatchObject([{ name: 'roja' }])
    expect(cache.get('message', 'msg_1')?.labels).toContain('roja')
  })

  it('S2: takes a message over from the event of its label', () => {
    const cache = filled()
    const record = messageRecord({ labels: ['blue'], label_ids: ['lbl_2'], seq: 7 })
    cache.apply(event('label.unassigned', record as Event['data'] & { id: string; seq: number }))
    expect(cache.get('message', 'msg_1')?.labels).toEqual(['blue'])
  })

  it('S2: forgets the body of a mail that was read again, also where the old one comes late', () => {
    const cache = filled()
    const record = messageRecord({ preview: 'now read', seq: 7 })
    cache.apply(event('message.updated', record as Event['data'] & { id: string; seq: number }))
    expect(cache.get('message', 'msg_1')?.preview).toBe('now read')
    expect(cache.get('body', 'msg_1')).toBeUndefined()
    const body = { body_text: 'x', body_html: null, headers: [], codes: [], links: [] }
    cache.putBody(messageRecord(), body)
    expect(cache.get('body', 'msg_1')).toBeUndefined()
    cache.putBody(record, body)
    expect(cache.get('body', 'msg_1')).toEqual(body)
  })

  it.each([
    ['message.deleted', { id: 'msg_1', thread_id: 'thr_1', inbox_id: 'inb_a', seq: 5 }],
    ['thread.deleted', { id: 'thr_1', inbox_id: 'inb_a', seq: 5 }],
    ['inbox.deleted', { id: 'inb_a', seq: 5 }],
  ])('S2: forgets with %s what is gone, also where it is read late', (type, data) => {
    const cache = filled()
    cache.apply(event(type, data))
    expect(cache.get('message', 'msg_1')).toBeUndefined()
    expect(cache.get('body', 'msg_1')).toBeUndefined()
    expect(cache.get('thread', 'thr_1') === undefined).toBe(type !== 'message.deleted')
    expect(cache.get('inbox', 'inb_a') === undefined).toBe(type === 'inbox.deleted')
    cache.put('message', messageRecord())
    expect(cache.get('message', 'msg_1')).toBeUndefined()
  })

  it('lets events pass that it does not know', () => {
    const cache = filled()
    cache.apply(event('label.created', { id: 'lbl_3', name: 'x', seq: 5 }))
    cache.apply(event('parcel.lost', { id: 'msg_1', seq: 6 }))
    expect(cache.get('message', 'msg_1')?.seq).toBe(1)
  })
})
