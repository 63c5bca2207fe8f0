import { UsageError } from '../protocol'

/**
 * The Authorization header of a key (RFC 6750 section 2.1), or none.
 *
 * @throws UsageError `invalid_api_key` when the key cannot be sent. The message never shows it.
 */
export const authorization = (apiKey: string | undefined): Readonly<Record<string, string>> => {
  if (apiKey === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError(
      'invalid_api_key',
      'the API key is empty or has a space or line break in it: pass exactly what signup or the console gave',
    )
  return { authorization: `Bearer ${apiKey}` }
}
