import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { noContent, signS3 } from '../../src/service/net/sign-s3'
import { isMissing } from './program'

/** Debian's Python, which has Debian's Swift. */
const python = '/usr/bin/python3'

export const swiftIsMissing = (): boolean => isMissing('swift-proxy-server', ['/usr/bin'])

/** A server of S3 that verifies signatures, with one bucket. */
export interface Swift extends AsyncDisposable {
  port: number
  /** The settings that lead to its bucket. */
  options: {
    blobs: string
    blobsEndpoint: string
    blobsRegion: string
    blobsAccessKeyId: string
    blobsSecretAccessKey: string
  }
  /** Asks it as the owner of its account; the path begins with the bucket. */
  ask(method: string, path: string): Promise<Response>
}

/** Starts OpenStack Swift with its S3 interface. */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'))
  const child = spawn(python, [join(import.meta.dirname, 'swift-server.py'), folder, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [''])])
  const port = Number(/^ready (\d+)$/.exec(line)?.[1])
  if (!port) throw new Error('Swift did not start')
  const keys = { region: 'eu-central-7', accessKeyId: 'test:tester', secretAccessKey: 'a-key-of-the-tests' }
  const blobsEndpoint = `http://127.0.0.1:${port}`

  async function ask(method: string, path: string): Promise<Response> {
    const url = new URL(`${blobsEndpoint}/${path}`)
    return fetch(url, { method, headers: signS3({ method, url, contentHash: noContent }, keys, Date.now()) })
  }
  const made = await ask('PUT', 'mails')
  if (!made.ok) throw new Error(`Swift made no bucket: ${made.status} ${await made.text()}`)
  return {
    port,
    ask,
    options: {
      blobs: 's3://mails/of/tests',
      blobsEndpoint,
      blobsRegion: keys.region,
      blobsAccessKeyId: keys.accessKeyId,
      blobsSecretAccessKey: keys.secretAccessKey,
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
