import {
  localhostAllowedHostnames,
  originValidationResponse,
  validateHostHeader,
} from '@modelcontextprotocol/server'

/** Options that control who may reach a mailbox over HTTP. */
export interface AdmissionOptions {
  /**
   * Host names under which the handler is reached, without port. Default: `localhost`, `127.0.0.1` and
   * `[::1]`. Requests to other names, and from web pages of other names, are refused: a page cannot reach a
   * mailbox on its visitor's machine.
   */
  hosts?: readonly string[] | undefined
  /** Bearer token required in `Authorization`. Without it any client of the handler can use the mailbox. */
  token?: string | undefined
}

const refusal = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers })

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

/** Compares two texts in constant time, by digests of one length. */
const isSame = async (one: string, other: string): Promise<boolean> => {
  const [left, right] = await Promise.all([digest(one), digest(other)])
  return left.reduce((difference, byte, at) => difference | (byte ^ right[at]!), 0) === 0
}

/** Returns the response for a refused request; undefined if it is allowed. */
export async function refuse(request: Request, options: AdmissionOptions): Promise<Response | undefined> {
  const hosts = options.hosts ?? localhostAllowedHostnames()
  const host = request.headers.get('host') ?? new URL(request.url).host
  const checked = validateHostHeader(host, [...hosts])
  if (!checked.ok)
    return refusal(
      403,
      `${checked.message}. The option hosts of createMcpHandler says which names are answered.`,
    )
  const wrongOrigin = originValidationResponse(request, [...hosts])
  if (wrongOrigin || options.token === undefined) return wrongOrigin
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (await isSame(given, options.token)) return undefined
  return refusal(401, 'Send the token of this mailbox: Authorization: Bearer …', {
    'www-authenticate': 'Bearer',
  })
}
