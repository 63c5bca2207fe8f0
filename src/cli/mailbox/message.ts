import type { Client } from '../../client/client'
import type { MessageSummary } from '../../protocol/records/message'
import { localTime, paint, printable } from '../base/output'
import { everyPage, firstRows } from '../base/pages'

type Query = NonNullable<Parameters<Client['messages']['list']>[0]>
type Page = Awaited<ReturnType<Client['messages']['list']>>

/**
 * Reads the first messages of a list, each with the handle that every command accepts.
 *
 * @param heard Called with each page.
 */
export async function listMessages(
  client: Client,
  query: Query,
  limit: number,
  heard: (page: Page) => void = () => {},
) {
  const rows = everyPage(
    (cursor) => client.messages.list({ ...query, cursor, limit: Math.min(limit, 100) }),
    (page) => {
      heard(page)
      return page.messages
    },
  )
  const handleOf = await handleNamer()
  return (await firstRows(rows, limit)).map((message) => ({ ...message, handle: handleOf(message) }))
}

/** Returns the id of a message that is named by id or handle. @throws UsageError `unknown_handle` */
export async function messageId(client: Client, reference: string): Promise<string> {
  const { findByHandle } = await import('../../mailbox/records/handles')
  return (await findByHandle(client, reference))?.id ?? reference
}

/** Loads the function that returns the handle of a message. */
export async function handleNamer(): Promise<(message: MessageSummary) => string> {
  return (await import('../../mailbox/records/handles')).handleOf
}

const people = ({ direction, from_addr, from_name, to_addrs }: MessageSummary) =>
  direction === 'outbound' ? to_addrs.join(', ') : (from_name ?? from_addr)

/** Formats a message for a list: handle, time, direction, participants, subject, delivery status. */
export function messageLine(message: MessageSummary & { handle: string }): string {
  const { handle, direction, subject, labels, delivery_status, created_at } = message
  const isOut = direction === 'outbound'
  const way = isOut ? paint('green', 'to  ') : paint('cyan', 'from')
  const quoted = JSON.stringify(printable(subject, 60))
  const title = labels.includes('unread') ? paint('bold', quoted) : quoted
  const state = isOut ? `  ${paint('dim', delivery_status)}` : ''
  const who = printable(people(message), 32).padEnd(32)
  return `${paint('dim', handle.padEnd(12))} ${localTime(created_at)}  ${way} ${who} ${title}${state}`
}
