import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetchBytes } from '../../../src/service/inbound/http/fetch-bytes'
import { createSelfSigned } from '../../../src/service/inbound/smtp/certificate'
import { createFakeResolver } from '../../support/fake-resolver'
import { openService, type QuietService } from '../../support/service'
import { snsPosted } from './support/sns'

const region = 'eu-west-1'
const topic = `arn:aws:sns:${region}:123456789012:mail`
const certificateUrl = `https://sns.${region}.amazonaws.com/SimpleNotificationService-1a29e3a1.pem`
const sns = createSelfSigned('sns.amazonaws.com')
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const objects = new Map<string, Buffer>()
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Answers as S3 does: to those who signed what they ask for (AWS Signature Version 4), and to nobody else. */
function askS3(url: string, headers: Record<string, string>): Buffer {
  const { host, pathname } = new URL(url)
  const [, id, day, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/eu-west-1\/s3\/aws4_request,SignedHeaders=([^,]+),Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const all: Record<string, string> = { ...headers, host }
  const canonical = [
    'GET',
    pathname,
    '',
    ...signed!.split(';').map((name) => `${name}:${all[name]}`),
    '',
    signed,
    all['x-amz-content-sha256'],
  ].join('\n')
  const text = `AWS4-HMAC-SHA256\n${all['x-amz-date']}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day!), region), 's3'), 'aws4_request')
  if (id !== 'AKIAEXAMPLE' || hmac(key, text).toString('hex') !== signature)
    throw new Error(`${host} answered 403 where mail was to be fetched`)
  const found = objects.get(`${host}${decodeURIComponent(pathname)}`)
  if (!found) throw new Error(`${host} answered 404 where mail was to be fetched`)
  return found
}

describe('mail that Amazon SES puts into S3', () => {
  let service: QuietService
  const keys: Record<'right' | 'wrong' | 'none', string> = {} as never
  beforeAll(async () => {
    service = await openService({}, {
      fetchBytes: async (url: string, headers: Record<string, string> = {}) =>
        url === certificateUrl ? Buffer.from(sns.cert) : askS3(url, headers),
    } as never)
    const make = async (secret: object) =>
      (
        await service.service.keys.create({
          account_id: service.home.tenantId,
          name: 'SES',
          scopes: ['inbound'],
          provider: { type: 'ses', topic_arn: topic, ...secret },
        })
      ).id
    const access_key_id = 'AKIAEXAMPLE'
    keys.right = await make({ access_key_id, secret_access_key: secretAccessKey })
    keys.wrong = await make({ access_key_id, secret_access_key: 'another' })
    keys.none = await make({})
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function post(key: string, objectKey: string, bucketName = 'mail-of-company', id = objectKey) {
    const notice = {
      notificationType: 'Received',
      mail: { source: 'ana@example.net', messageId: id },
      receipt: {
        recipients: [service.home.address],
        action: { type: 'S3', topicArn: topic, bucketName, objectKey },
      },
    }
    const { headers, body } = snsPosted(notice, { topic, certificateUrl, key: sns.key, nowMs: Date.now() })
    const response = await service.service.fetch(
      new Request(`http://restante.test/v1/inbound/keys/${key}/ses`, { method: 'POST', headers, body }),
    )
    return { status: response.status, body: await response.json() }
  }

  it('is fetched whole with a signature, whatever its name', async () => {
    const large = Buffer.concat([
      Buffer.from('From: ana@example.net\r\nSubject: Large\r\n\r\n'),
      Buffer.alloc(2 * 1024 * 1024, 'x \xe9\r\n', 'latin1'),
    ])
    for (const name of ['abc123', "in/box (1)+é'!*.eml"]) {
      objects.set(`mail-of-company.s3.${region}.amazonaws.com/${name}`, large)
      const { status, body } = await post(keys.right, name)
      expect([status, body.messages?.length], JSON.stringify(body)).toEqual([200, 1])
      const stored = await service.service.fetch(
        new Request(`http://restante.test/v1/messages/${body.messages[0].id}/raw`, {
          headers: { authorization: `Bearer ${service.home.apiKey}` },
        }),
      )
      expect(Buffer.from(await stored.arrayBuffer()).equals(large)).toBe(true)
    }
  })

  it('is put off, so that it comes again, where the key may not read it, or it is not there yet', async () => {
    expect((await post(keys.wrong, 'abc123', 'mail-of-company', 'other-1')).status).toBe(503)
    expect((await post(keys.none, 'abc123', 'mail-of-company', 'other-2')).status).toBe(503)
    expect((await post(keys.right, 'not-there')).status).toBe(503)
    for (const bucket of ['evil.example/', 'a@evil.example', '169.254.169.254#'])
      expect((await post(keys.right, 'abc123', bucket, bucket)).status, bucket).toBe(503)
  })

  it('is fetched from the public internet only', async () => {
    const host = `mail-of-company.s3.${region}.amazonaws.com`
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1']) {
      const { fetchBytes, close } = createFetchBytes(createFakeResolver({ [host]: { addresses: [address] } }))
      await expect(fetchBytes(`https://${host}/abc123`), address).rejects.toThrow()
      await close()
    }
  })
})
