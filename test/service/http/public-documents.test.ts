import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servePublic } from '../../../src/service/http/public-documents'
import { openService, type QuietService } from '../../support/service'

const paths = ['/v1/openapi.json', '/v1/asyncapi.json', '/reference', '/llms.txt']

describe('public documents', () => {
  let service: QuietService
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.service.fetch(new Request(`http://restante.test${path}`, { headers }))
  beforeAll(async () => {
    service = await openService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it.each(paths)('%s has an ETag by which a cache asks again, and may be kept', async (path) => {
    const first = await get(path)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]{20,}"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('vary') ?? '').not.toContain('*')
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': held })
      expect([again.status, await again.text(), again.headers.get('etag')], held).toEqual([304, '', etag])
    }
    const other = await get(path, { 'if-none-match': '"other"' })
    expect([other.status, await other.text()]).toEqual([200, await first.text()])
  })
})

describe('servePublic', () => {
  it('builds a document once for each public URL, however many ask at once', async () => {
    const built: string[] = []
    let url = 'http://a.example/v1'
    const write = async (from: string) => {
      built.push(from)
      return `at ${from}`
    }
    const serve = servePublic({ contentType: 'text/plain', write }, () => url)
    const ask = async () => (await serve(new Request('http://x.example/'))).text()
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([`at ${url}`]))
    expect(built).toEqual([url])
    url = 'http://b.example/v1'
    expect([await ask(), await ask()]).toEqual([`at ${url}`, `at ${url}`])
    expect(built).toEqual(['http://a.example/v1', url])
  })

  it('tries again after a build that failed', async () => {
    let count = 0
    const write = () => {
      if (count++ === 0) throw new Error('out of memory')
      return 'whole'
    }
    const serve = servePublic({ contentType: 'text/plain', write }, () => 'http://a.example/v1')
    await expect(serve(new Request('http://x.example/'))).rejects.toThrow('out of memory')
    expect(await (await serve(new Request('http://x.example/'))).text()).toBe('whole')
  })
})
