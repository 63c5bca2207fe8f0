import { createHash, createHmac } from 'node:crypto'

/** Credentials and region for S3. */
export interface S3Keys {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** SHA-256 of an empty body. */
export const noContent = sha256('')

/** Encodes the name of an object as the path of a URL. */
export const s3Path = (name: string): string =>
  name
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')

/**
 * Signs a request to S3 (AWS Signature Version 4); returns its header fields. The URL must have no query.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signS3(
  request: {
    method: string
    url: URL
    /** SHA-256 of the body: the server refuses another one. */
    contentHash: string
    headers?: Record<string, string>
  },
  { region, accessKeyId, secretAccessKey }: S3Keys,
  nowMs: number,
): Record<string, string> {
  const { method, url, contentHash } = request
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const sent = { 'x-amz-content-sha256': contentHash, 'x-amz-date': time, ...request.headers }
  const headers: Record<string, string> = { host: url.host, ...sent }
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = [method, url.pathname, '', lines, names.join(';'), contentHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
  }
}
