import { noContent, type S3Keys, s3Path, signS3 } from '../../../net'

/** Object in S3, with the credentials to read it. */
export interface S3Object extends S3Keys {
  bucket: string
  key: string
}

/** Signs a request for an object. A provider names the object, so the URL must lead to AWS only. */
export function signedGet(
  { bucket, key, ...keys }: S3Object,
  nowMs: number,
  headers: Record<string, string> = {},
) {
  const isPlain = /^[a-z\d][a-z\d-]{1,61}[a-z\d]$/.test(bucket) && /^[a-z\d-]+$/.test(keys.region)
  if (!isPlain)
    throw new Error(`the bucket ${bucket.slice(0, 80)} in ${keys.region.slice(0, 40)} cannot be asked`)
  const url = new URL(`https://${bucket}.s3.${keys.region}.amazonaws.com/${s3Path(key)}`)
  return {
    url: url.href,
    headers: signS3({ method: 'GET', url, contentHash: noContent, headers }, keys, nowMs),
  }
}
