import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { freePort } from '../../bench/ports.mjs'
import { start } from '../cli/support/cli'
import { allBlocks } from '../snippets/blocks'
import { startService, type TestService } from '../support/service'
import { openProject } from '../support/tarball'

/** Runs the receivers of docs/webhooks.md as they stand, each where it is meant to run. */
const modules = join(import.meta.dirname, 'node_modules')
const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
const bun = join(modules, `@oven/bun-${process.platform}-${arch}/bin/bun`)
const workerd = join(
  modules,
  `@cloudflare/workerd-${process.platform}-${process.arch.replace('x', '')}/bin/workerd`,
)
const how = 'npm install --no-package-lock --ignore-scripts --prefix test/runtimes'

const shown = (heading: string): string =>
  allBlocks().find(({ place, language }) => place === `docs/webhooks.md, ${heading}` && language === 'ts')!
    .text

/** A service with a webhook to that address, and what the receiver has in its environment. */
async function openHooked(path: string) {
  const service = await startService({ webhooksAllowPrivate: true })
  const port = await freePort()
  const webhook = { url: `http://127.0.0.1:${port}${path}`, events: ['message.received'] }
  const { body } = await service.call('POST', '/webhooks', { body: webhook })
  const env = {
    ...{ RESTANTE_URL: service.url, RESTANTE_API_KEY: service.home.apiKey, WEBHOOK_SECRET: body.secret },
    PORT: String(port),
  }
  return { service, port, env }
}

const listens = (port: number) =>
  expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/hook`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)

/** Two mails, since a receiver may be well for one request only. */
async function answersTwo(service: TestService): Promise<void> {
  for (const subject of ['One', 'Two']) {
    await service.mail({ subject, text: 'Is it?' })
    const sent = async () => (await service.call('GET', '/messages?direction=outbound')).body.messages
    await expect.poll(async () => (await sent())[0]?.subject).toBe(`Re: ${subject}`)
  }
}

test('the route for Next is built without its variables, and answers', async ({ skip }) => {
  skip(!existsSync(join(modules, 'next')), how)
  const project = await openProject()
  await mkdir(join(project, 'app/hook'), { recursive: true })
  await mkdir(join(project, 'node_modules'))
  for (const name of ['next', 'react', 'react-dom'])
    await symlink(join(modules, name), join(project, 'node_modules', name), 'dir')
  // It is JavaScript too: for TypeScript, Next would install its types.
  await writeFile(join(project, 'app/hook/route.js'), shown('In Next'))
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const next = join(modules, 'next/dist/bin/next')
  const quiet = { NEXT_TELEMETRY_DISABLED: '1' }
  const built = await start(process.execPath, [next, 'build', '--webpack'], { cwd: project, env: quiet })
    .ended
  expect(built).toMatchObject({ code: 0 })
  const { service, port, env } = await openHooked('/hook')
  await using _ = service
  start(process.execPath, [next, 'start', '-p', String(port)], { cwd: project, env: { ...env, ...quiet } })
  await listens(port)
  await answersTwo(service)
}, 300_000)

test('the worker answers in workerd, request after request', async ({ skip }) => {
  skip(!existsSync(workerd), how)
  const project = await openProject()
  await writeFile(join(project, 'worker.ts'), shown('In Cloudflare Workers'))
  await build({
    ...{ absWorkingDir: project, entryPoints: ['worker.ts'], outfile: 'worker.mjs', bundle: true },
    ...{
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'silent',
    },
  })
  const { service, port, env } = await openHooked('/hook')
  await using _ = service
  const bindings = Object.entries(env).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  await writeFile(
    join(project, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      compatibilityDate = "2026-01-01",
      bindings = [${bindings.join(', ')}],
    )),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  )
  start(workerd, ['serve', 'config.capnp'], { cwd: project })
  await listens(port)
  await answersTwo(service)
})

test('the app of Hono answers', async () => {
  const project = await openProject({ hono: 'hono', '@hono/node-server': '@hono/node-server' })
  await writeFile(join(project, 'app.mjs'), shown('In Hono'))
  const program = `import { serve } from '@hono/node-server'
import app from './app.mjs'
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })`
  await writeFile(join(project, 'serve.mjs'), program)
  const { service, port, env } = await openHooked('/hook')
  await using _ = service
  start(process.execPath, ['serve.mjs'], { cwd: project, env })
  await listens(port)
  await answersTwo(service)
})

test('the server for Bun answers', async ({ skip }) => {
  skip(!existsSync(bun), how)
  const project = await openProject()
  await writeFile(join(project, 'server.ts'), shown('In Bun'))
  const { service, port, env } = await openHooked('/hook')
  await using _ = service
  start(bun, ['run', 'server.ts'], { cwd: project, env })
  await listens(port)
  await answersTwo(service)
})
