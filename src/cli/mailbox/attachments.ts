import type { Command } from 'commander'
import type { Client } from '../../client/client'
import type { RouteInput } from '../../protocol/routes/route'
import type { Routes } from '../../protocol/routes/routes'
import { collect } from '../base/connection'

/** `--markdown`, for commands that write from an inbox. */
export const markdownOption = ['--markdown', 'the text is Markdown, sent as HTML and as plain text'] as const

/** Returns the body as the fields that the service expects. */
export const bodyOf = (written: string, { markdown = false }: { markdown?: boolean }) =>
  markdown ? { markdown: written } : { text: written }

export const addAttachFlag = (command: Command): Command =>
  command.option('--attach <file>', 'attach this file (repeatable)', collect)

/**
 * Converts local files into attachment fields. @throws UsageError `unreadable_attachment`,
 * `attachment_too_large`
 */
export async function attach(
  client: Client,
  paths: readonly string[] | undefined,
): Promise<RouteInput<Routes['messages']['send']>['attachments']> {
  if (!paths?.length) return undefined
  const { attachmentFields } = await import('../../mailbox/records/outgoing-file')
  return attachmentFields(
    client,
    paths.map((path) => ({ path })),
    {},
  )
}
