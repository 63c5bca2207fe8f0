import { UsageError } from '../protocol/errors'

const parse = (url: string | URL): URL => {
  try {
    return new URL(url)
  } catch (cause) {
    throw new UsageError(
      'invalid_url',
      'url is not an address: pass the base address of the service, such as https://mail.example/v1',
      { cause },
    )
  }
}

/**
 * The base address of a service, ending in `/v1` (which is added where it is missing), without a slash.
 *
 * @throws UsageError `invalid_url` when it is not an http or https address, or carries a password.
 */
export const baseUrl = (url: string | URL): string => {
  const parsed = parse(url)
  if (!/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new UsageError(
      'invalid_url',
      `url must be an http or https address without user and password, and is ${parsed.protocol}//${parsed.host}`,
    )
  const path = parsed.pathname.replace(/\/+$/, '')
  return `${parsed.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`
}

/** The address of the socket, from a base address. */
export const realtimeUrl = (base: string): string => `${base.replace(/^http/, 'ws')}/realtime`
