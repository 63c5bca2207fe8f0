import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { SocketDescription } from './asyncapi'
import type { Description, Operation } from './openapi'
import type { Components, Schema } from './openapi-examples'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const style = `
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fdfcf9; --soft: #efece4; --line: #d8d4c8; --link: #0b57a4; --quiet: #5c584c }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #16150f; --soft: #2c2a22; --line: #45423a; --link: #9bf; --quiet: #aaa594 } }
* { box-sizing: border-box }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper) }
a { color: var(--link) } h1, h2, h3 { line-height: 1.25; font-weight: 600 } h2 { margin-top: 3rem } h3 { margin-top: 2.5rem }
nav { padding: 1rem } nav ul { list-style: none; margin: 0 0 .8rem; padding: 0 } nav li { font-size: .9rem }
main { padding: 1rem; max-width: 54rem; min-width: 0 }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px }
code { padding: .1em .3em; overflow-wrap: anywhere } pre { padding: .8rem; overflow-x: auto } pre code { padding: 0; overflow-wrap: normal }
table { border-collapse: collapse; width: 100%; font-size: .92rem } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap; width: 14rem } td p { margin: 0 0 .4rem } .quiet { color: var(--quiet) } h3 .self { text-decoration: none; color: inherit }
@media (min-width: 62rem) { body { display: grid; grid-template-columns: 16rem 1fr } nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-right: 1px solid var(--line) } main { padding: 1rem 2.5rem } }
@media (max-width: 62rem) { nav ul ul { display: none } nav li { display: inline-block; margin-right: .8rem } }
@media (max-width: 40rem) { td, td:first-child { display: block; width: auto } td:first-child { border: 0; padding-bottom: 0 } }`

/** Formats paragraphs, with text in backticks as code. */
const prose = (text = ''): Html[] =>
  text.split('\n\n').map((paragraph) => {
    const parts = paragraph.split('`').map((part, i) => (i % 2 ? html`<code>${part}</code>` : part))
    return html`<p>${parts}</p>`
  })

const shownName = (ref: string) => ref.replace('#/components/schemas/', '')

/** Describes the type of a value. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return shownName(schema.$ref)
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return [...new Set(options.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** Describes the bounds and the default of a value. */
function limitsOf({ minimum, maximum, default: usual, anyOf }: Schema): string {
  const bounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  const facts = [
    ...(bounded ? [`${minimum} to ${maximum}`] : []),
    ...(usual === undefined || anyOf ? [] : [`default ${JSON.stringify(usual)}`]),
  ]
  return facts.map((one) => `, ${one}`).join('')
}

const field = (name: string, required: boolean, schema: Schema): Html => html`<tr>
<td><code>${name}</code></td><td><span class="quiet">${typeOf(schema)}${limitsOf(schema)}${required ? ', required' : ''}</span>${
  schema.description ? prose(schema.description) : ''
}</td></tr>`

const table = (rows: Html[]): Html | string => (rows.length > 0 ? html`<table>${rows}</table>` : '')

function fieldsOf(schema: Schema | undefined, components: Components): Html[] {
  const found = schema?.$ref ? components[shownName(schema.$ref)] : schema
  return Object.entries(found?.properties ?? {}).map(([name, property]) =>
    field(name, found?.required?.includes(name) ?? false, property),
  )
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** Writes a command that calls the operation with its examples. */
function curlOf(baseUrl: string, method: string, path: string, operation: Operation): string {
  const required = (operation.parameters ?? []).filter((one) => one.required)
  const url = required
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), baseUrl + path)
  const headers = required.filter((one) => one.in === 'header').map((one) => `${one.name}: ${one.example}`)
  if (!operation.security) headers.unshift('Authorization: Bearer $RESTANTE_API_KEY')
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type) headers.push(`Content-Type: ${type === '*/*' ? 'application/octet-stream' : type}`)
  const data =
    content && (type === '*/*' ? '--data-binary @file' : `--data ${quoted(JSON.stringify(content.example))}`)
  const given = headers.map((header) => (header.includes('$') ? `-H "${header}"` : `-H ${quoted(header)}`))
  return [`curl -X ${method} ${quoted(url)}`, ...given, ...(data ? [data] : [])].join(' \\\n  ')
}

const bodySection = (
  title: string,
  schema: Schema | undefined,
  example: unknown,
  components: Components,
): Html =>
  html`<h4>${title}</h4>${table(fieldsOf(schema, components))}${
    example === undefined ? '' : html`<pre><code>${pretty(example)}</code></pre>`
  }`

function operationSection(document: Description, path: string, method: string, operation: Operation): Html {
  const { schemas } = document.components
  const request = operation.requestBody?.content['application/json']
  const entries = Object.entries(operation.responses)
  const done = entries.find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']
  const statuses = entries.map(
    ([status, { description }]) =>
      html`<tr><td><code>${status}</code></td><td>${prose(description)}</td></tr>`,
  )
  const { operationId: id } = operation
  return html`<section><h3 id="${id}"><a class="self" href="#${id}">${operation.summary}</a></h3>
<p><code>${method} ${path}</code></p>${prose(operation.description)}
<pre><code>${curlOf(document.servers[0]!.url, method, path, operation)}</code></pre>
${table((operation.parameters ?? []).map((one) => field(one.name, one.required ?? false, one.schema)))}
${request ? bodySection('Body', request.schema, request.example, schemas) : ''}
${done ? bodySection('Answer', done.schema, done.example, schemas) : ''}
<h4>Statuses</h4>${table(statuses)}</section>`
}

const eventSection = (
  type: string,
  operation: Operation,
): Html => html`<h3 id="event.${type}"><a class="self" href="#event.${type}">${type}</a></h3>
<pre><code>${pretty(operation.requestBody?.content['application/json']?.example)}</code></pre>`

const schemaSection = (name: string, schema: Schema, components: Components): Html | string => {
  const rows = fieldsOf(schema, components)
  return rows.length === 0 || name.startsWith('Event.')
    ? ''
    : html`<h3 id="schema.${name}"><a class="self" href="#schema.${name}">${name}</a></h3>${table(rows)}`
}

/** Lists the frames of one side of the socket; only the first event frame, since all look alike. */
function framesOf(socket: SocketDescription, side: string): Html[] {
  const { messages, schemas } = socket.components
  const frames = Object.entries(messages).filter(([key]) => key.startsWith(`${side}.`))
  const [firstEvent] = frames.find(([, { name }]) => name.startsWith('event.')) ?? []
  return frames
    .filter(([key, { name }]) => key === firstEvent || !name.startsWith('event.'))
    .map(([key, { name, summary, payload, examples }]) => {
      const id = key === firstEvent ? `${side}.event` : key
      return html`<h4 id="frame.${id}"><a class="self" href="#frame.${id}">${name.replace(/^(event)\..*/, '$1')}</a>, from the ${side}</h4>${prose(
        summary,
      )}${table(fieldsOf(payload, schemas))}<pre><code>${pretty(examples[0]?.payload)}</code></pre>`
    })
}

function socketSection(socket: SocketDescription): Html {
  const { realtime } = socket.channels
  const [{ protocol, host, pathname }] = Object.values(socket.servers) as [
    SocketDescription['servers'][string],
  ]
  const codes = realtime['x-close-codes'].map(
    ({ code, reason, reconnect, meaning }) =>
      html`<tr><td><code>${code}</code> <code>${reason}</code></td><td>${prose(
        `${meaning}; ${reconnect ? 'come back' : 'do not come back'}`,
      )}</td></tr>`,
  )
  return html`<h2 id="socket">socket</h2><p><code>${protocol}://${host}${pathname}${realtime.address}</code></p>${prose(
    socket.info.description,
  )}${framesOf(socket, 'agent')}${framesOf(socket, 'service')}<h4 id="close-codes">Close codes</h4><table>${codes}</table>`
}

/** Renders the description of the API as a page, without scripts or external resources. */
export function referencePage(document: Description, socket: SocketDescription): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const inGroup = (name: string) => operations.filter(({ operation }) => operation.tags[0] === name)
  const menu = document.tags.map(
    ({ name }) =>
      html`<li><a href="#${name}"><b>${name}</b></a><ul>${inGroup(name).map(
        ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      )}</ul></li>`,
  )
  const sections = document.tags.map(
    ({ name, description }) =>
      html`<h2 id="${name}">${name}</h2>${prose(description)}${inGroup(name).map(
        ({ path, method, operation }) => operationSection(document, path, method, operation),
      )}`,
  )
  const events = Object.entries(document.webhooks).map(([type, { post }]) => eventSection(type, post!))
  const { schemas } = document.components
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Restante: the interface</title><style>${raw(style)}</style></head>
<body><nav><p><b>Restante</b> ${document.info.version}</p><ul>${menu}<li><a href="#socket"><b>socket</b></a></li><li><a href="#event-types"><b>event types</b></a></li><li><a href="#records"><b>records</b></a></li></ul></nav>
<main><h1>The interface</h1>${prose(document.info.description)}
<p>Base address: <code>${document.servers[0]!.url}</code>. Every request but a signup has the header <code>Authorization: Bearer</code> with an API key. The same in a form for programs: <a href="/v1/openapi.json">openapi.json</a>, and <a href="/v1/asyncapi.json">asyncapi.json</a> for the socket; in short, for agents: <a href="/llms.txt">llms.txt</a>.</p>
${sections}${socketSection(socket)}<h2 id="event-types">event types</h2><p>The same on socket, webhook and poll.</p>${events}
<h2 id="records">records</h2>${Object.entries(schemas).map(([name, schema]) => schemaSection(name, schema, schemas))}</main></body></html>`
}
