import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createMcpHandler } from 'restante/mcp'
import { createService } from 'restante/service'

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

const handler = createMcpHandler(mailbox, { token: 'open-sesame' })
const server = createServer(handler.node)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)

// What the host of an agent does: it is told of new mail, reads it, and answers.
const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
const told = new Promise<string>((resolve) => {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
})
await client.connect(
  new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: 'Bearer open-sesame' } },
  }),
)
await client.listen({ resourceSubscriptions: ['restante://inbox'] })

await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'Is the blue bicycle still for sale?',
})

console.log(`${await told} has changed`)
const call = async (name: string, input: Record<string, unknown>) => {
  const { isError = false, content } = await client.callTool({ name, arguments: input })
  console.log(`${name} ${isError ? 'failed' : 'worked'}`)
  return JSON.stringify(content)
}
const [message] = /m\d+-\w{3}/.exec(await call('search_mail', { query: 'bicycle' })) ?? []
await call('reply', { message, text: 'Yes, it is still here.' })

await client.close()
await handler.close()
server.close()
