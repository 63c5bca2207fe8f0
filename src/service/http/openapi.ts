import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { errorCodes } from '../../protocol/errors/error-codes'
import { errorBody } from '../../protocol/records/common'
import { refusalsOf, takesIdempotencyKey } from '../../protocol/routes/refusals'
import { answersJson, type Route, scopeSetsOf } from '../../protocol/routes/route'
import { routes } from '../../protocol/routes/routes'
import { accountHeader } from '../../protocol/socket'
import { type Components, eventSchemas, exampleOf, type Schema } from './openapi-examples'

const text = { type: 'string' } as const

/** Header fields of refusals, by status. */
const refusalHeaders: Record<number, Record<string, { description: string; schema: typeof text }>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text } },
  405: { Allow: { description: 'The methods of this path.', schema: text } },
  429: { 'Retry-After': { description: 'Seconds to wait before the next request.', schema: text } },
  503: { 'Retry-After': { description: 'Seconds to wait, if that is known.', schema: text } },
}

/** Returns the refusals of a route, by status, with their codes. */
function refusals(route: Route): ZodOpenApiOperationObject['responses'] {
  const codes = refusalsOf(route)
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => errorCodes[code].status === status)
          .map((code) => `\`${code}\`: ${errorCodes[code].meaning}`)
          .join('\n\n'),
        ...(status in refusalHeaders && { headers: refusalHeaders[status] }),
        content: {
          'application/json': {
            schema: errorBody,
            examples: Object.fromEntries(
              codes
                .filter((code) => errorCodes[code].status === status)
                .map((code) => [code, { value: { error: code, message: errorCodes[code].meaning } }]),
            ),
          },
        },
      },
    ]),
  )
}

function successes({ success, answer }: Route): ZodOpenApiOperationObject['responses'] {
  if (success.status === 204) return { 204: { description: 'Done.' } }
  const content = answersJson(answer)
    ? { 'application/json': { schema: answer } }
    : { [answer.contentType]: { schema: { type: 'string', format: 'binary' } as const } }
  const { status, replayStatus, acceptedStatus, partialStatus } = success
  const first = { [status]: { description: 'Done.', content } }
  return {
    ...first,
    ...(replayStatus && { [replayStatus]: { description: 'Had been done before.', content } }),
    ...(partialStatus && { [partialStatus]: { description: 'The part that `Range` asks for.', content } }),
    ...(acceptedStatus && {
      [acceptedStatus]: {
        description: 'Not done yet: the draft that waits, or the state of the work.',
        content,
      },
    }),
  }
}

const namesOf = (access: Route['access']) =>
  scopeSetsOf(access)
    .map((set) => set.map((name) => `\`${name}\``).join(' and '))
    .join(' or ')

/** Describes the part of the answer that a key without `read` gets; null if it gets all, or none may call. */
function narrowedOf({ access, answer, success, withoutRead }: Route): string | null {
  const opens = scopeSetsOf(access).some((set) => !set.includes('read'))
  if (!opens || withoutRead === 'all' || success.status === 204 || !answersJson(answer)) return null
  const fields = (withoutRead ?? []).map((field) => `\`${field}\``).join(', ')
  return `A key without \`read\` gets no more of the answer than ${fields || 'an empty object'}.`
}

const keyHeader = z.object({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Makes the request safe to repeat. On sends it is the `client_id`, for good. Elsewhere the success is kept for 24 hours: the same request gets it again, another is refused with `client_id_conflict`, and one that comes meanwhile with `request_in_progress`.',
  }),
})

function operation(group: string, name: string, route: Route): ZodOpenApiOperationObject {
  const { summary, description, params, query, headers, body, rawBody, access } = route
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary,
    ...(description && { description }),
    ...(access === 'none' || access === 'operator'
      ? { security: access === 'none' ? [] : [{ operator: [] }] }
      : {
          security: [{ key: [] }, { operator: [], account: [] }],
          description: [description, `Needs the scope ${namesOf(access)}.`, narrowedOf(route)]
            .filter(Boolean)
            .join('\n\n'),
        }),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
      ...(takesIdempotencyKey(route) && { header: keyHeader }),
    },
    ...(rawBody && {
      requestBody: { content: { '*/*': { schema: { type: 'string', format: 'binary' } as const } } },
    }),
    ...(body && {
      requestBody: {
        // A request without a body counts as an empty object.
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: { ...successes(route), ...refusals(route) },
  }
}

function buildPaths(): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const [group, operations] of Object.entries(routes)) {
    for (const [name, route] of Object.entries(operations) as [string, Route][]) {
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operation(group, name, route),
      }
    }
  }
  return paths
}

/** Purpose of each group of operations. */
const groups: Record<keyof typeof routes, string> = {
  signups: 'An agent makes its own account.',
  account: 'What the account is and may do.',
  inboxes: 'Addresses that receive and send.',
  threads: 'Conversations.',
  messages: 'Mail that came and went.',
  drafts: 'Mail that is written and not yet sent: to be sent later, or after approval.',
  attachments: 'Files in mail.',
  labels: 'Words that sort messages.',
  domains: 'Domains of your own, to send and receive from.',
  lists: 'Whom mail is taken from, and whom it may go to.',
  suppressions: 'Addresses that nothing is sent to, since they bounced or complained.',
  uploads: 'Large files, handed over ahead of the mail that they go with.',
  events:
    'The log of everything that happened, by long poll. The socket at `/realtime` tells the same: `/asyncapi.json`.',
  connections: 'Mailboxes at other servers, by IMAP: each is an inbox here.',
  consumers: 'Readers that the service remembers: each gets a message until it is done with it.',
  webhooks: 'Events, posted to an address of yours.',
  inbound: 'Mail that others bring in place of SMTP: programs, and providers of mail.',
  audit: 'Who did what.',
  savedReplies: 'Texts that operators use for replies.',
  console: 'A human who is signed in claims accounts and keeps their API keys; no key reaches this.',
}

const signatureHeaders = [
  { name: 'webhook-id', description: 'Id of the event: the same in every attempt.' },
  { name: 'webhook-timestamp', description: 'When it was signed, in seconds since 1970.' },
  {
    name: 'webhook-signature',
    description: 'Signatures of Standard Webhooks: `v1,` and base64, separated by spaces.',
  },
]

/** Describes the requests to webhooks, for each event type. */
const buildWebhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    eventSchemas.map(({ type, schema }) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          tags: ['webhooks'],
          summary: `An event \`${type}\``,
          description:
            'Verify the signature, answer 2xx at once, and read the log for what came before: no order is promised, and an event may come twice.',
          security: [],
          parameters: signatureHeaders.map((header) => ({
            ...header,
            in: 'header',
            required: true,
            schema: text,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema },
            },
          },
          responses: { '2XX': { description: 'Received. Any other answer is tried again.' } },
        },
      },
    ]),
  )

/** Description of the API, as far as it is used here. */
export interface Description {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Components }
}

interface Content {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: object[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
    example?: unknown
  }[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
}

/** Adds an example to each body and parameter that has none. */
function addExamples(document: Description): void {
  const { schemas } = document.components
  const add = (content: Record<string, Content> | undefined) => {
    const json = content?.['application/json']
    if (json?.schema && !json.examples) json.example = exampleOf(json.schema, schemas)
  }
  for (const operations of [...Object.values(document.paths), ...Object.values(document.webhooks)])
    for (const operation of Object.values(operations)) {
      add(operation.requestBody?.content)
      for (const response of Object.values(operation.responses)) add(response.content)
      for (const parameter of operation.parameters ?? [])
        if (parameter.required) parameter.example = exampleOf(parameter.schema, schemas, parameter.name)
    }
}

function build(): Description {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Restante',
      version: '0.1.0',
      description:
        'E-mail for AI agents. Every refusal is `{error, message}`: `error` is a code, `message` says what to do. Answers may have fields that are not described here.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: from POST /agent-signups, or made in the console.',
        },
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: 'restante.session_token',
          description: 'The session of a human at the console; changes are taken from its pages only.',
        },
        account: {
          type: 'apiKey',
          in: 'header',
          name: accountHeader,
          description:
            'Beside the session, in place of a key: the `tenant_id` of the account, claimed by that human, that the request is for. It has every scope.',
        },
      },
    },
    paths: buildPaths(),
    webhooks: buildWebhooks(),
  }) as unknown as Description
  addExamples(document)
  return document
}

let built: Description | undefined

/** Returns the description of the API as OpenAPI 3.1, built from the table of routes. */
export function openApiDocument(baseUrl: string): Description {
  built ??= build()
  return { ...built, servers: [{ url: baseUrl }] }
}
