import { expect, test } from 'vitest'
import type { ThreadRow } from '../../../src/service/messages/records'
import { mergedThread } from '../../../src/service/messages/thread-merge'

const thread = (id: string, last: Partial<ThreadRow>): ThreadRow => ({
  tenant_id: 'acc_1',
  id,
  inbox_id: 'inb_1',
  subject: 'Plan',
  participants: '[]',
  message_count: 1,
  label_ids: '[]',
  last_message_id: `msg_${id}`,
  last_message_created_seq: 1,
  last_message_at: '2026-11-02T10:00:00.000Z',
  preview: id,
  hold: null,
  released_seq: 0,
  typing_job_id: null,
  assignee: null,
  assignee_name: null,
  status: 'open',
  snoozed_until: null,
  snooze_job_id: null,
  note_count: 0,
  created_at: '2026-11-02T10:00:00.000Z',
  seq: 1,
  ...last,
})

test('a merged thread ends with the later of two messages of one millisecond', () => {
  const [early, late] = [
    thread('a', { last_message_created_seq: 7 }),
    thread('b', { last_message_created_seq: 8 }),
  ]
  for (const merged of [mergedThread(early, late), mergedThread(late, early)])
    expect(merged).toMatchObject({ last_message_id: 'msg_b', last_message_created_seq: 8, preview: 'b' })
})
