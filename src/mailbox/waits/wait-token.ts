import { UsageError } from '../../protocol/errors/error'
import type { WaitTokenData } from '../../protocol/records/wait-token'
import { misfitOf } from '../../protocol/shape'
import { waitTokenShape } from '../../protocol/wire'
import { decodeBase64, encodeBase64 } from '../base/bytes'

const prefix = 'wait_'
const maxLength = 100_000

/** Encodes a wait, for another process to resume, as a string safe in URLs and without secrets. */
export const encodeWaitToken = (data: WaitTokenData): string =>
  prefix + encodeBase64(JSON.stringify(data)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')

const parse = (token: string): unknown => {
  if (!token.startsWith(prefix) || token.length > maxLength) return undefined
  try {
    const base64 = token.slice(prefix.length).replace(/-/g, '+').replace(/_/g, '/')
    return JSON.parse(new TextDecoder().decode(decodeBase64(base64)))
  } catch {
    return undefined
  }
}

const isTime = (text: string | undefined): boolean => text === undefined || !Number.isNaN(Date.parse(text))

/** @throws UsageError `invalid_token` */
export const decodeWaitToken = (token: string): WaitTokenData => {
  const data = parse(token) as WaitTokenData
  if (misfitOf(waitTokenShape, data) === null && isTime(data.until)) return data
  throw new UsageError(
    'invalid_token',
    'this is not a wait token, or a newer version created it: pass `token` unchanged',
  )
}
