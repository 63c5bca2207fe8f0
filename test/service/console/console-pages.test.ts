import { expect, it } from 'vitest'
import { openService } from '../../support/service'

it('the page for claiming has all that it loads, from this service alone', async () => {
  await using service = await openService()
  const get = (path: string) =>
    service.service.fetch(new Request(new URL(path, 'http://restante.test/console/')))
  const page = await get('claim')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await page.text()
  const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  expect(loaded).toEqual(expect.arrayContaining(['claim.js', 'console.css']))
  for (const path of loaded) expect((await get(path)).status, path).toBe(200)
  const script = await get('claim.js')
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  // A module that imports another shows nothing at all: the others are not served.
  expect(await script.text()).not.toMatch(/^\s*(?:import|export)\b|\bimport\(/m)
})

it('the page asks for the drafts that wait, and puts what they say into it as text', async () => {
  await using service = await openService()
  const request = new Request('http://restante.test/console/claim.js')
  const script = await (await service.service.fetch(request)).text()
  for (const part of ['/drafts', 'approve', 'reject', 'seq']) expect(script).toContain(part)
  expect(script).not.toContain('innerHTML')
})
