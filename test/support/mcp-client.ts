import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client'

/** Both revisions that are spoken, each with a client that speaks nothing else. */
export const eras = [
  { revision: '2025-11-25', mode: 'legacy' },
  { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const satisfies { revision: string; mode: NonNullable<ClientOptions['versionNegotiation']>['mode'] }[]
export type Era = (typeof eras)[number]

/** A client of one revision, and what it hears by itself: addresses of resources that changed, and `list`. */
export async function connectMcp(transport: Transport, { mode, revision }: Era) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri)
  })
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.push('list')
  })
  await client.connect(transport)
  /** Subscribes as clients of the revision do. */
  const follow = async (uri: string) => {
    if (revision === '2025-11-25') await client.subscribeResource({ uri })
    else await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
  }
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args })
    const [{ text = '' } = {}] = result.content as { text?: string }[]
    return { ...result, text }
  }
  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  return { client, heard, follow, call, read }
}
