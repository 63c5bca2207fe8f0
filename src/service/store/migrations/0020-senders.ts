import type { Step } from './step'
import { addColumns, count, createTables, numberOrNull, text, textOrNull } from './tables'

/**
 * Drafts record the message that they forward. Messages record their sender, their approver and the program
 * that submitted a person's words; older rows have null. Inboxes limit the answers to authors of such
 * messages; those of the last hour are stored. Inboxes may list senders that count as persons or as programs,
 * and their account knows whether one does.
 *
 * Messages that two programs answered are listed: a program outside every consumer has null for its consumer.
 * The id of a message that is not here leads to several threads: the first is in `thread_keys`, the others
 * are here.
 */
export const senders: Step = (dialect) => ({
  async up(db) {
    const columns = { sent_by: textOrNull, approved_by: textOrNull }
    await addColumns(db, 'messages', { ...columns, via: textOrNull, program_author: textOrNull }, dialect)
    await addColumns(db, 'drafts', { ...columns, forward_message_id: textOrNull }, dialect)
    const settings = {
      automatic_answers: numberOrNull,
      treat_as_person: textOrNull,
      treat_as_program: textOrNull,
    }
    await addColumns(db, 'inboxes', settings, dialect)
    await addColumns(db, 'accounts', { treats_senders: count }, dialect)
    const double_answers = {
      columns: {
        ...{ tenant_id: text, message_id: text, created_at: text },
        ...{ first_consumer: textOrNull, second_consumer: textOrNull },
      },
      key: ['tenant_id', 'message_id'],
      indexes: { double_answers_by_time: '(created_at)' },
    }
    const program_answers = {
      columns: { tenant_id: text, inbox_id: text, author_hash: text, message_id: text, created_at: text },
      key: ['tenant_id', 'inbox_id', 'author_hash', 'message_id'],
    }
    const thread_mentions = {
      columns: { tenant_id: text, inbox_id: text, rfc822_message_id: text, thread_id: text },
      key: ['tenant_id', 'inbox_id', 'rfc822_message_id', 'thread_id'],
      indexes: { thread_mentions_by_thread: '(tenant_id, thread_id)' },
    }
    await createTables(db, { double_answers, program_answers, thread_mentions }, dialect)
  },
})
