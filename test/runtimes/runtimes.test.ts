import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { start } from '../cli/support/cli'
import { launchChromium, noBrowser, openTab } from '../support/chromium'
import { startService, type TestService } from '../support/service'
import { openProject } from '../support/tarball'
import { temporaryFolder } from '../support/temporary-folder'

const here = import.meta.dirname
const modules = join(here, 'node_modules')
const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
const bun = join(modules, `@oven/bun-${process.platform}-${arch}/bin/bun`)
const workerd = join(
  modules,
  `@cloudflare/workerd-${process.platform}-${process.arch.replace('x', '')}/bin/workerd`,
)

/** A folder with the tarball and the agent. */
async function openAgent(): Promise<string> {
  const project = await openProject()
  for (const file of ['agent.ts', 'bun.ts', 'workerd.ts', 'page.ts'])
    await cp(join(here, file), join(project, file))
  return project
}

/** Plays those who write to the agent, and looks at what it tells of each step. */
async function converse(
  agent: { out(line: RegExp): PromiseLike<unknown> },
  service: TestService,
): Promise<void> {
  await agent.out(/^open live by socket$/m)
  await service.mail({
    subject: 'Is it blue?',
    text: 'Is it?',
    attachments: [{ filename: 'sky.html', content: '<p>The <b>sky</b></p>', contentType: 'text/html' }],
  })
  await agent.out(/^answered Is it blue\?, with The sky$/m)
  await agent.out(/^waiting$/m)
  await service.mail({ subject: 'Your code', text: 'To sign in with us, your code is 493021.' })
  await agent.out(/^found 493021, true$/m)
  await agent.out(/^account\.claimed webhook_unverified$/m)
  await agent.out(/^end closed$/m)
  const { body } = await service.call('GET', '/messages?direction=outbound')
  expect(body.messages).toMatchObject([
    { subject: 'Re: Is it blue?', attachments: [{ filename: 'why.txt' }] },
  ])
}

const how = 'npm install --no-package-lock --ignore-scripts --prefix test/runtimes'

test('an agent in Bun opens a mailbox, answers, waits for a code and verifies webhooks', async ({ skip }) => {
  skip(!existsSync(bun), how)
  await using service = await startService()
  const args = ['run', 'bun.ts', service.url, service.home.apiKey]
  const agent = start(bun, args, { cwd: await openAgent() })
  await converse(agent, service)
  expect(await agent.ended).toMatchObject({ code: 0, err: '' })
})

const bundle = (project: string, from: string, to: string, conditions: string[]) =>
  build({
    ...{ absWorkingDir: project, entryPoints: [from], outfile: to, bundle: true, format: 'esm' },
    ...{ platform: 'browser', conditions, logLevel: 'silent' },
  })

/** A worker that may reach the service on this machine. */
const configOf = (
  modules: string[],
  bindings: Record<string, string>,
) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (
    modules = [${modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(', ')}],
    compatibilityDate = "2026-01-01",
    bindings = [${Object.entries(bindings)
      .map(([name, text]) => `(name = "${name}", text = "${text}")`)
      .join(', ')}],
  )),
  (name = "internet", network = (allow = ["private", "public"])),
]);
`

test('an agent in workerd opens a mailbox, answers, waits for a code and verifies webhooks', async ({
  skip,
}) => {
  skip(!existsSync(workerd), how)
  await using service = await startService()
  const project = await openAgent()
  await bundle(project, 'workerd.ts', 'worker.mjs', ['workerd', 'worker', 'browser'])
  await writeFile(
    join(project, 'config.capnp'),
    configOf(['worker.mjs'], { url: service.url, apiKey: service.home.apiKey }),
  )
  const agent = start(workerd, ['test', 'config.capnp'], { cwd: project })
  await converse(agent, service)
  expect((await agent.ended).code).toBe(0)
})

/** Hands mail to the worker as Email Routing does, and tells what it makes of it. */
const routing = `import worker from 'cloudflare-worker.js'
const bytes = new TextEncoder().encode('From: ana@example.net\\r\\nSubject: x\\r\\nMessage-ID: <w@example.net>\\r\\n\\r\\nHi ')
export default {
  async test(_controller, env) {
    const hand = async (to, key = env.RESTANTE_KEY) => {
      const raw = new Blob([bytes, new Uint8Array([0x80, 0xff])]).stream()
      let said = 'taken'
      const setReject = (why) => { said = why }
      await worker.email({ from: 'a+b@example.net', to, raw, setReject }, { ...env, RESTANTE_KEY: key })
      console.log(said)
    }
    await hand(env.ADDRESS)
    await hand('nobody@restante.localhost')
    await hand(env.ADDRESS, 'rst_other').catch(({ message }) => console.log('thrown', message.slice(0, 21)))
  },
}`

test('the worker for Cloudflare brings mail byte for byte from workerd', async ({ skip }) => {
  skip(!existsSync(workerd), how)
  await using service = await startService()
  const key = { account_id: service.home.tenantId, name: 'in', scopes: ['inbound' as const] }
  const provider = { type: 'cloudflare' as const }
  const { id, api_key } = await service.service.keys.create({ ...key, provider })
  const folder = await temporaryFolder()
  await cp(join(here, '../../deploy/cloudflare-worker.js'), join(folder, 'cloudflare-worker.js'))
  await writeFile(join(folder, 'routing.mjs'), routing)
  const bindings = {
    RESTANTE_URL: `${service.url}/inbound/keys/${id}/cloudflare`,
    RESTANTE_KEY: api_key,
    ADDRESS: service.home.address,
  }
  await writeFile(join(folder, 'config.capnp'), configOf(['routing.mjs', 'cloudflare-worker.js'], bindings))
  const worker = await start(workerd, ['test', 'config.capnp'], { cwd: folder }).ended
  const refusal = 'No inbox here has the address nobody@restante.localhost.'
  expect(worker.out.trim().split('\n')).toEqual(['taken', refusal, 'thrown Restante answered 503'])
  expect(worker.code).toBe(0)
  const [message] = (await service.call('GET', '/messages')).body.messages
  const response = await service.service.fetch(
    new Request(`http://restante.test/v1/messages/${message.id}/raw`, {
      headers: { authorization: `Bearer ${service.home.apiKey}` },
    }),
  )
  expect(Buffer.from(await response.arrayBuffer()).subarray(-2)).toEqual(Buffer.from([0x80, 0xff]))
})

/** Serves the page of the agent at an origin of its own. */
async function servePage(script: Buffer) {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><script src="/page.js" type="module"></script>',
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => new Promise<void>((done) => server.close(() => done()))
  return { origin, [Symbol.asyncDispose]: close }
}

test('an agent in a page of another origin, which --cors lets in, does the same in a browser', async ({
  skip,
}) => {
  skip(noBrowser !== null, noBrowser ?? '')
  const project = await openAgent()
  await bundle(project, 'page.ts', 'page.js', ['browser'])
  await using page = await servePage(await readFile(join(project, 'page.js')))
  await using service = await startService({ cors: page.origin })
  await using browser = await launchChromium()
  await using tab = await openTab(browser)
  let reported = ''
  tab.page.on('console', (line) => {
    reported += `${line.text()}\n`
  })
  const out = (line: RegExp) => expect.poll(() => reported).toMatch(line)
  await tab.page.goto(
    `${page.origin}/#${new URLSearchParams({ url: service.url, key: service.home.apiKey })}`,
  )
  await converse({ out: async (line) => out(line) }, service)
  expect(tab.errors).toEqual([])
})
