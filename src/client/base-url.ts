import { UsageError } from '../protocol/errors/error'

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
 * Returns the base URL of a service, which ends in `/v1` without a slash. Adds `/v1` if it is missing.
 *
 * @throws UsageError `invalid_url` if it is not an http or https URL, or has a user or password.
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

/** Returns the URL of the WebSocket, from a base URL. */
export const realtimeUrl = (base: string): string => `${base.replace(/^http/, 'ws')}/realtime`
