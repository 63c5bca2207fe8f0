import * as z from 'zod'
import {
  bearerSubprotocolPrefix,
  type ClientFrame,
  type CloseReason,
  clientFrame,
  closeCodes,
  heartbeatMs,
  maxFrameBytes,
  realtimePath,
  realtimeSubprotocol,
  type ServerFrame,
  serverFrame,
} from '../../protocol/frames'
import { seq } from '../../protocol/records/common'
import { type Components, eventSchemas, exampleOf, type Schema } from './openapi-examples'

/** Meaning of each frame of an agent. */
const agentFrames: Record<ClientFrame['type'], string> = {
  subscribe:
    'Asks for everything after a position of the log, or from `now` on, narrowed to inboxes and types of events. A new one takes the place of the one before.',
  ping: `Asks for a \`pong\`: send it after ${heartbeatMs / 1000} s of silence, and give the socket up after twice as much.`,
  pong: 'Answers a `ping` of the service.',
}

/** Meaning of each frame of the service. */
const serviceFrames: Record<ServerFrame['type'], string> = {
  subscribed:
    'Answers `subscribe`: events follow from `after` on, and `head` is where the log ends at the moment.',
  event:
    'An event. `prev` is the last position that was covered before it: where that is not the reader’s own, something was missed and is fetched by GET /events.',
  'caught-up':
    'Everything up to `seq` was covered, also what the filter left out; `prev` says from where, as for an event.',
  ping: 'Asks for a `pong`; whoever sends nothing for twice that time is given up.',
  pong: 'Answers a `ping` of the agent, several by one where it is slow to read.',
  error: 'Something was refused: a code as over HTTP, or `invalid_frame`. `bye` follows.',
  bye: 'The service closes the socket now: why, whether to come back, and from which position to go on.',
}

/** Meaning of each close code. */
const closeMeanings: Record<CloseReason, string> = {
  going_away: 'the service stops, or cannot reach its database',
  invalid_frame: 'a frame was not valid',
  unauthorized: 'the key was revoked',
  forbidden: 'the key lacks the scope `read`, or the account is closed',
  no_heartbeat: `no frame arrived for ${(2 * heartbeatMs) / 1000} s`,
  cursor_expired: 'the log no longer contains the position `after`',
  slow_reader: 'the client read too slowly',
  too_many_frames: 'frames arrived too fast',
  too_many_sockets: 'the key, the account or the address has too many open sockets',
  internal_error: 'the service failed',
}

/** Frame as AsyncAPI describes it. */
interface FrameMessage {
  name: string
  summary: string
  payload: Schema
  examples: { payload: unknown }[]
}

/** Close code of the socket, and whether the agent should reconnect. */
interface CloseCode {
  code: number
  reason: string
  reconnect: boolean
  meaning: string
}

/** Description of the socket, as far as it is used here. */
export interface SocketDescription {
  asyncapi: string
  info: { title: string; version: string; description: string }
  servers: Record<string, { host: string; pathname: string; protocol: string }>
  channels: { realtime: { address: string; description: string; 'x-close-codes': CloseCode[] } }
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>
  components: { schemas: Components; messages: Record<string, FrameMessage> }
}

const description = `The log of an account by WebSocket: one JSON object a text frame, at most ${maxFrameBytes} bytes from the agent.

The key is in the header \`Authorization: Bearer\`; browsers, which cannot set it, offer two subprotocols: \`${realtimeSubprotocol}\`, which the service selects, and \`${bearerSubprotocolPrefix}\` followed by the key. A socket that is refused is answered before it opens, as every request is: \`{error, message}\` with 401, 403, 404, 429 or 503.

The agent begins with \`subscribe\`; the service answers \`subscribed\`, then every event after that position, then \`caught-up\`. A position is a \`seq\` of the log, the same as \`after\` and \`to\` of GET /events. Keep the last that was covered (\`event.seq\`, \`seq\` of \`caught-up\`), and subscribe from there after a break: nothing is skipped. Frames, types of events and fields that are not described here may come, and are to be passed over.`

/** Converts schemas and collects the shared ones by name. */
function createConverter() {
  const schemas: Components = {}
  const convert = (schema: z.ZodType): Schema => {
    const { $schema: _, definitions, ...own } = z.toJSONSchema(schema, { target: 'draft-7' })
    const lifted = JSON.parse(
      JSON.stringify({ own, definitions }).replaceAll('"#/definitions/', '"#/components/schemas/'),
    )
    Object.assign(schemas, lifted.definitions)
    return lifted.own
  }
  return { schemas, convert }
}

/** Event frame of each event type. */
const eventFrames = eventSchemas.map(({ type, schema }) => ({
  name: `event.${type}`,
  summary: `An event \`${type}\`. ${serviceFrames.event}`,
  schema: z.looseObject({ type: z.literal('event'), prev: seq, event: schema }),
}))

const framesOf = (options: readonly z.ZodObject[], meanings: Record<string, string>) =>
  options.map((schema) => {
    const name = (schema.shape.type as z.ZodLiteral<string>).value
    return { name, summary: meanings[name]!, schema }
  })

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key with the scope `read`.' },
  subprotocol: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `For browsers: \`${realtimeSubprotocol}, ${bearerSubprotocolPrefix}<key>\`.`,
  },
}

function build() {
  const { schemas, convert } = createConverter()
  const sides = {
    agent: framesOf(clientFrame.options, agentFrames),
    service: framesOf(serverFrame.options, serviceFrames).flatMap((frame) =>
      frame.name === 'event' ? eventFrames : [frame],
    ),
  }
  const messages: Record<string, FrameMessage> = {}
  for (const [side, frames] of Object.entries(sides))
    for (const { name, summary, schema } of frames) {
      const payload = convert(schema)
      messages[`${side}.${name}`] = { name, summary, payload, examples: [] }
    }
  for (const message of Object.values(messages))
    message.examples.push({ payload: exampleOf(message.payload, schemas) })
  const channelOf = (name: string) => ({ $ref: `#/channels/realtime/messages/${name}` })
  const namesOf = (side: string) => Object.keys(messages).filter((name) => name.startsWith(`${side}.`))
  const operation = (side: keyof typeof sides, action: 'send' | 'receive', summary: string) => ({
    action,
    summary,
    channel: { $ref: '#/channels/realtime' },
    messages: namesOf(side).map(channelOf),
  })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Restante: the socket',
      version: '0.1.0',
      description,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: {
      realtime: {
        address: realtimePath,
        description: 'The log of an account, from a position on.',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        'x-close-codes': Object.entries(closeCodes).map(([reason, { code, reconnect }]) => ({
          code,
          reason,
          reconnect,
          meaning: closeMeanings[reason as CloseReason],
        })),
      },
    },
    operations: {
      listen: operation('agent', 'receive', 'The service takes what an agent says.'),
      tell: operation('service', 'send', 'The service tells an agent the log.'),
    },
    components: {
      schemas,
      messages,
      securitySchemes,
    },
  }
}

let built: ReturnType<typeof build> | undefined

/** Returns the description of the socket as AsyncAPI 3.0, built from the schemas that validate its frames. */
export function asyncApiDocument(baseUrl: string): SocketDescription {
  built ??= build()
  const { host, pathname, protocol } = new URL(baseUrl)
  const security = [
    { $ref: '#/components/securitySchemes/key' },
    { $ref: '#/components/securitySchemes/subprotocol' },
  ]
  const service = { host, pathname, protocol: protocol === 'https:' ? 'wss' : 'ws', security }
  return { ...built, servers: { service } } as SocketDescription
}
