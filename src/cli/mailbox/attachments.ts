import type { Command } from 'commander'
import type { Client } from '../../client'
import type { RouteInput, Routes } from '../../protocol/routes'
import { collect } from '../base'

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
