import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { errorBody } from '../../protocol/common'
import { errorCodes } from '../../protocol/error-codes'
import { answersJson, commonErrors, type Route } from '../../protocol/route'
import { routes } from '../../protocol/routes'

const nothing = z.strictObject({})

/** The refusals of a route, by status: each names its codes. */
function refusals(route: Route): ZodOpenApiOperationObject['responses'] {
  const codes = [...new Set([...route.errors, ...commonErrors])].filter(
    (code) => route.access !== 'none' || (code !== 'unauthorized' && code !== 'account_suspended'),
  )
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => errorCodes[code].status === status)
          .map((code) => `\`${code}\`: ${errorCodes[code].meaning}`)
          .join('\n\n'),
        content: { 'application/json': { schema: errorBody } },
      },
    ]),
  )
}

function successes({ success, answer }: Route): ZodOpenApiOperationObject['responses'] {
  if (success.status === 204) return { 204: { description: 'Done.' } }
  const content = answersJson(answer)
    ? { 'application/json': { schema: answer } }
    : { [answer.contentType]: { schema: { type: 'string', format: 'binary' } as const } }
  const { status, replayStatus, acceptedStatus } = success
  const first = { [status]: { description: 'Done.', content } }
  return {
    ...first,
    ...(replayStatus && { [replayStatus]: { description: 'Had been done before.', content } }),
    ...(acceptedStatus && { [acceptedStatus]: { description: 'Waits for an operator.', content } }),
  }
}

const namesOf = (access: Route['access']) =>
  [access]
    .flat()
    .map((name) => `\`${name}\``)
    .join(' or ')

function operation(group: string, name: string, route: Route): ZodOpenApiOperationObject {
  const { summary, description, params, query, headers, body, rawBody, access } = route
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary,
    ...(description && { description }),
    ...(access === 'none'
      ? { security: [] }
      : { description: [description, `Needs the scope ${namesOf(access)}.`].filter(Boolean).join('\n\n') }),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(rawBody && {
      requestBody: { content: { '*/*': { schema: { type: 'string', format: 'binary' } as const } } },
    }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: body ?? nothing } } },
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

let built: ReturnType<typeof createDocument> | undefined

/** The description of the interface as OpenAPI 3.1, made from the same table as everything else. */
export function openApiDocument(baseUrl: string): object {
  built ??= createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Restante',
      version: '0.1.0',
      description: 'E-mail for AI agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: buildPaths(),
  })
  return { ...built, servers: [{ url: baseUrl }] }
}
