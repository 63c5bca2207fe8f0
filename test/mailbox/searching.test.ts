import { Mailbox } from 'restante'
import { createToolbox } from 'restante/tools'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from '../cli/support/in-process'
import { startService, type TestService } from '../support/service'

let real: TestService
let mailbox: Mailbox
beforeAll(async () => {
  real = await startService()
  mailbox = await Mailbox.open({ service: real.service })
  await real.mail({ subject: 'Printer', text: 'The invoice for the new printer is attached, we hope.' })
  await real.mail({ subject: 'Lunch', text: 'Will you join us? The printer can wait.' })
})
afterAll(async () => {
  await mailbox.close()
  await real[Symbol.asyncDispose]()
})

it('a mailbox finds messages, the best first, and shows where what was looked for stands', async () => {
  const { items, modeUsed, warnings, nextCursor } = await mailbox.messages.search(
    'invoices of printers, or frm:whoever',
  )
  expect(items.map(({ message }) => message.subject)).toEqual(['Printer', 'Lunch'])
  expect(items[0]!.snippet.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['invoice', 'printer'])
  expect(items[0]!.subject).toEqual([expect.objectContaining({ text: 'Printer', hit: true })])
  expect([modeUsed, nextCursor]).toEqual(['keyword', null])
  expect(warnings).toEqual([expect.objectContaining({ column: 26 })])
  const newest = await mailbox.messages.search('printer', { order: 'desc', limit: 1 })
  expect(newest.items.map(({ message }) => message.subject)).toEqual(['Lunch'])
  const next = await mailbox.messages.search('printer', {
    order: 'desc',
    limit: 1,
    cursor: newest.nextCursor!,
  })
  expect(next.items.map(({ message }) => message.subject)).toEqual(['Printer'])
  const threads = await mailbox.threads.list({ query: 'join a lunch' })
  expect(threads.items.map(({ subject }) => subject)).toEqual(['Lunch'])
  await expect(mailbox.messages.search('x'.repeat(2_001))).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(mailbox.messages.search('x', { query: 'y' } as object)).rejects.toMatchObject({
    code: 'invalid_options',
  })
})

it('a model is shown the part of a mail that it looked for, and what was not understood', async () => {
  const { tools } = createToolbox(mailbox)
  const found = await tools.search_mail!.call({ query: 'invoices frm:x' })
  expect(found).toMatchObject({ status: 'ok' })
  expect(JSON.stringify(found)).toMatch(/Printer.*has \\+"The invoice for the new printer/)
  expect(JSON.stringify(found)).toContain('Character 10: frm:x counts as words')
  const long = await tools.search_mail!.call({ query: 'x'.repeat(2_001) })
  expect(JSON.stringify(long)).toContain('1 to 2000 characters')
})

it('the command line finds mail', async () => {
  const env = { RESTANTE_URL: real.url, RESTANTE_API_KEY: real.home.apiKey }
  const { code, out, err } = await runHere(['search', 'invoices', 'printer', 'frm:x'], env)
  expect([code, err]).toEqual([0, expect.stringContaining('Character 18: frm:x counts as words')])
  expect(out).toMatch(/"Printer"\n {2}The invoice for the new printer/)
  expect(out.indexOf('"Printer"')).toBeLessThan(out.indexOf('"Lunch"'))
  const json = await runHere(['search', 'printer', '--newest', '--limit', '1', '--json'], env)
  expect(JSON.parse(json.out)).toMatchObject({ subject: 'Lunch', handle: expect.any(String) })
  expect((await runHere(['search', 'nothere'], env)).out).toBe('No messages match.\n')
})
