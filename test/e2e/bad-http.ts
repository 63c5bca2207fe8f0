import type { BadConversation } from './bad-sockets'

/** A request and the refusal that it must get. */
export interface Wanted {
  what: string
  method?: string
  path: string
  status: number
  error: string
  /** The right one where it is left out. */
  key?: string
  body?: () => string
}

const json = (value: unknown) => () => JSON.stringify(value)
const messages = '/messages'

export const badRequests: readonly Wanted[] = [
  { what: 'malformed JSON', path: messages, status: 400, error: 'invalid_json', body: () => '{"to": [' },
  { what: 'no JSON', path: messages, status: 400, error: 'invalid_json', body: () => '\0\x01\u{1f680}' },
  {
    what: 'JSON that is nested deep',
    path: messages,
    status: 400,
    error: 'invalid_request',
    body: () => `{"to":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  },
  {
    what: 'wrong types',
    path: messages,
    status: 400,
    error: 'invalid_request',
    body: json({ to: { a: 1 }, subject: 5, text: ['x'] }),
  },
  {
    what: 'an unknown field',
    path: messages,
    status: 400,
    error: 'invalid_request',
    body: json({ to: ['a@example.com'], text: 'x', __proto__: null, constructor: 1 }),
  },
  {
    what: 'an address with a line break',
    path: messages,
    status: 400,
    error: 'invalid_request',
    body: json({ to: ['a@example.com\r\nBcc: b@example.com'], text: 'x' }),
  },
  {
    what: 'two addresses in one',
    path: messages,
    status: 400,
    error: 'invalid_request',
    body: json({ to: ['a@example.com, b@example.com'], text: 'x' }),
  },
  {
    what: 'a wrong key',
    path: messages,
    status: 401,
    error: 'unauthorized',
    key: 'rst_wrong',
    body: json({}),
  },
  { what: 'no key', path: messages, status: 401, error: 'unauthorized', key: '', body: json({}) },
  {
    what: 'a body that is too large',
    path: messages,
    status: 413,
    error: 'payload_too_large',
    body: () => `{"text":"${'x'.repeat(40_000_000)}"}`,
  },
  {
    what: 'a reply to nothing',
    path: '/messages/msg_0/reply',
    status: 404,
    error: 'not_found',
    body: json({ text: 'x' }),
  },
  { what: 'a path of rubbish', method: 'GET', path: '/%00%ff/..%2f', status: 404, error: 'not_found' },
  {
    what: 'a wrong cursor',
    method: 'GET',
    path: '/messages?cursor=nonsense',
    status: 400,
    error: 'invalid_cursor',
  },
  { what: 'a huge cursor', method: 'GET', path: '/events?after=1e30', status: 400, error: 'invalid_request' },
]

const request = (key: string, line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: restante', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n')

const websocket = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const upgrade = (key: string) => request(key, 'GET /v1/realtime', ...websocket)

/** A frame as a client must send it: masked, here with zeros. */
function frame(text: string | Buffer, opcode = 1): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}

/** A close frame of the service, with one of the codes of RFC 6455 section 7.4.1. */
const closed = (code: number) => new RegExp(`\\x88[^]${String.fromCharCode(code >> 8, code & 255)}`)

export const badUpgrades = (key: string): BadConversation[] => [
  {
    what: 'a socket with a wrong key',
    write: [upgrade('rst_wrong')],
    answer: /^HTTP\/1\.1 401 .*unauthorized/s,
  },
  {
    what: 'a socket elsewhere',
    write: [request(key, 'GET /v1/else', ...websocket)],
    answer: /^HTTP\/1\.1 404 .*not_found/s,
  },
  {
    what: 'a socket without a handshake key',
    write: [request(key, 'GET /v1/realtime', ...websocket.slice(0, 3))],
    answer: /^HTTP\/1\.1 400 /,
  },
  { what: 'no HTTP', write: ['HELO there\r\n\r\n'], answer: /^HTTP\/1\.1 400 / },
  {
    what: 'a header without an end',
    write: [`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`],
    answer: /^HTTP\/1\.1 431 /,
  },
  {
    what: 'two lengths',
    write: [request(key, 'POST /v1/messages', 'Content-Length: 5', 'Content-Length: 6')],
    answer: /^HTTP\/1\.1 400 /,
  },
]

export const badFrames = (key: string): BadConversation[] =>
  (
    [
      ['no JSON', frame('{"type":'), /invalid_frame/],
      ['an unknown type', frame('{"type":"drop table"}'), /invalid_frame/],
      ['a wrong cursor', frame('{"type":"subscribe","after":-1}'), /invalid_frame/],
      ['an unknown field', frame('{"type":"subscribe","after":0,"filter":1}'), /invalid_frame/],
      ['binary', frame(Buffer.from([0, 1, 2, 255]), 2), /invalid_frame/],
      ['text that is not UTF-8', frame(Buffer.from([0xc3, 0x28])), closed(1007)],
      ['a frame without a mask', Buffer.from([0x81, 1, 0x7b]), closed(1002)],
      ['a frame that is too long', Buffer.from('81ff0000000100000000000000', 'hex'), closed(1009)],
    ] as const
  ).map(([what, bytes, answer]) => ({
    what: `a socket that sends ${what}`,
    write: [upgrade(key), bytes],
    answer,
  }))

/** Requests and sockets that begin and never go on. */
export const halfRequests = (key: string): (string | Buffer)[] => [
  '',
  'GET /v1/acc',
  request(key, 'GET /v1/account').slice(0, -4),
  `${request(key, 'POST /v1/messages', 'Content-Type: application/json', 'Content-Length: 500')}{"to":`,
  `${request(key, 'POST /v1/messages', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}5\r\n{"to"`,
  upgrade(key),
  Buffer.concat([Buffer.from(upgrade(key)), frame('{"type":"subscribe","after":0}').subarray(0, 20)]),
]
