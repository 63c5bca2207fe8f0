import type { Account, Inbox, MessageSummary, Thread } from '../../../src/protocol'

const at = '2026-01-31T12:00:00.000Z'

export const inboxRecord = (name: string): Inbox => ({
  id: `inb_${name}`,
  address: `${name}@mail.example`,
  name: null,
  created_at: at,
  seq: 0,
})

export const messageRecord = (fields: Partial<MessageSummary> = {}): MessageSummary => ({
  id: 'msg_1',
  thread_id: 'thr_1',
  inbox_id: 'inb_a',
  direction: 'inbound',
  from_addr: 'ana@example.com',
  from_name: 'Ana',
  to_addrs: ['a@mail.example'],
  cc_addrs: [],
  bcc_addrs: [],
  reply_to: [],
  subject: 'Hello',
  preview: 'Hello there',
  reply_text: 'Hello there',
  delivery_status: 'received',
  delivery_detail: null,
  labels: [],
  label_ids: [],
  attachments: [],
  rfc822_message_id: '<1@example.com>',
  in_reply_to: null,
  references: [],
  auto_submitted: 'no',
  auto_reason: null,
  new_participant: false,
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', from_verified: true },
  flaws: [],
  size: 1_000,
  sent_at: at,
  received_at: at,
  created_at: at,
  seq: 1,
  ...fields,
})

export const threadRecord = (fields: Partial<Thread> = {}): Thread => ({
  id: 'thr_1',
  inbox_id: 'inb_a',
  subject: 'Hello',
  participants: ['ana@example.com', 'a@mail.example'],
  message_count: 1,
  last_message_id: 'msg_1',
  last_message_at: at,
  preview: 'Hello there',
  labels: [],
  label_ids: [],
  created_at: at,
  seq: 1,
  ...fields,
})

export const accountRecord = (inboxes: readonly Inbox[]): Account => ({
  tenant_id: 'ten_1',
  name: 'Test',
  onboarding_state: 'claimed',
  claimed_at: at,
  sending_enabled_at: at,
  unclaimed_expires_at: null,
  expired: false,
  capabilities: { receive: true, read: true, send: true, manage: true },
  limits: { inboxes: 10, received_messages: null, received_bytes: null },
  usage: { received_messages: 0, received_bytes: 0 },
  inboxes: inboxes.map(({ id, address }) => ({ id, address })),
  sending_status: 'enabled',
  sending_paused_at: null,
})
