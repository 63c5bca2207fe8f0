import { createHash } from 'node:crypto'
import { hmac } from './provider'

/** An object in S3, and who may read it. */
export interface S3Object {
  bucket: string
  key: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const emptyHash = createHash('sha256').update('').digest('hex')
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Signs a request for an object (AWS Signature Version 4).
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signedGet(object: S3Object, nowMs: number, more: Record<string, string> = {}) {
  const { bucket, key, region, accessKeyId, secretAccessKey } = object
  const isPlain = /^[a-z\d][a-z\d-]{1,61}[a-z\d]$/.test(bucket) && /^[a-z\d-]+$/.test(region)
  if (!isPlain) throw new Error(`the bucket ${bucket.slice(0, 80)} in ${region.slice(0, 40)} cannot be asked`)
  const host = `${bucket}.s3.${region}.amazonaws.com`
  const path = `/${key.split('/').map(encoded).join('/')}`
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    host,
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': time,
    ...more,
  }
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const request = ['GET', path, '', lines, names.join(';'), emptyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join(
    '\n',
  )
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  )
  const signature = hmac(signing, text).toString('hex')
  const { host: _, ...sent } = headers
  return {
    url: `https://${host}${path}`,
    headers: {
      ...sent,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
    },
  }
}
