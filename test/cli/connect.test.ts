import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  mailOf,
  type ScriptedMailbox,
  startScriptedMailbox,
} from '../service/connections/support/scripted-mailbox'
import { createFakeResolver } from '../support/fake-resolver'
import { openService, type QuietService } from '../support/service'
import { temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

let service: QuietService
let mailbox: ScriptedMailbox
let env: Record<string, string>
let imap: string
let smtp: string
beforeAll(async () => {
  mailbox = await startScriptedMailbox()
  const opened = await openService({}, { resolver: createFakeResolver({}) })
  service = opened
  env = { RESTANTE_URL: (await opened.listen()).url, RESTANTE_API_KEY: opened.home.apiKey }
  const { port } = mailbox.body().smtp as { port: number }
  imap = `imap://kim%40company.test@127.0.0.1:${mailbox.imap.port}?tls=off`
  smtp = `smtp://127.0.0.1:${port}?tls=off`
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

const connect = (args: string[], more: Record<string, string> = {}) =>
  runHere(['connect', ...args], { ...env, ...more })
const password = { RESTANTE_MAILBOX_PASSWORD: 'right' }

it('connects a mailbox, says how it fares, tries it again and lets it go', async () => {
  expect((await connect(['list'])).out).toContain('No mailbox is connected yet')
  const made = await connect([imap, '--smtp', smtp, '--since', 'all'], password)
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(/^kim@company\.test is connected as inb_\w+\. .* 127\.0\.0\.1\./)
  await expect.poll(async () => (await connect(['list'])).out).toMatch(/kim@company\.test {2}live since/)
  const { id, folders } = JSON.parse((await connect(['list', '--json'])).out)
  expect(folders.map(({ path }: { path: string }) => path)).toEqual(['INBOX', 'Sent'])
  mailbox.imap.append(mailOf('by the command line'))
  const subjects = async () =>
    (await service.call('GET', '/messages')).body.messages.map(({ subject }: { subject: string }) => subject)
  await expect.poll(subjects).toEqual(['by the command line'])

  mailbox.imap.admits = () => false
  mailbox.imap.kickAll()
  await expect.poll(async () => (await connect(['list'])).out).toMatch(/failing: .*Next attempt 20/)
  mailbox.imap.admits = () => true
  expect((await connect(['retry', id])).out).toContain('Retrying kim@company.test')
  await expect.poll(async () => (await connect(['list'])).out).toMatch(/live since/)

  expect((await connect(['remove', id])).out).toBe(
    `${id} is disconnected. Its inbox and messages are still here.\n`,
  )
  expect((await connect(['list'])).out).toContain('No mailbox is connected yet')
  expect(await connect(['retry', id])).toMatchObject({ code: 1, out: '' })
}, 60_000)

it('looks for the servers of an address, and says where it found none', async () => {
  const { code, err } = await connect(['imap', '--address', 'ana@nowhere.test'], password)
  expect(code).toBe(1)
  expect(err).toMatch(/No IMAP and SMTP server of nowhere\.test was found.*restante connect imaps:/)
})

it('says what is wrong before anything is sent', async () => {
  const file = join(await temporaryFolder(), 'oauth.json')
  await writeFile(file, 'not json')
  const wrong: [string[], RegExp, Record<string, string>?][] = [
    [['https://imap.example.com'], /imaps:\/\/kim%40example\.com@imap\.example\.com/],
    [['imaps://imap.example.com'], /--address/],
    [[imap], /RESTANTE_MAILBOX_PASSWORD/],
    [[imap, '--oauth', file], /not a JSON file/],
    [[imap, '--since', 'someday'], /--since/, password],
    [[imap, '--smtp', 'http://x'], /smtps:\/\//, password],
  ]
  for (const [args, words, more] of wrong) {
    const { code, err } = await connect(args, more)
    expect([code !== 0, err], args.join(' ')).toEqual([true, expect.stringMatching(words)])
  }
})

it('says what the server says, and never repeats a password', async () => {
  mailbox.imap.admits = () => false
  const { code, err } = await connect([imap.replace('@127', ':hidden@127'), '--smtp', smtp])
  mailbox.imap.admits = () => true
  expect(code).toBe(1)
  expect(err).toMatch(/refused the login.*app password/)
  expect(err).not.toContain('hidden')
})
