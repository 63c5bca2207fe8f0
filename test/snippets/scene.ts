import { fork } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mailbox, Message } from 'restante'
import ts from 'typescript'
import { expect, onTestFinished } from 'vitest'
import { cleanEnvironment, type DevFacts, type Running, start } from '../cli/support/cli'
import { installTarball, openProject } from '../support/tarball'
import type { Block } from './blocks'

const importByNode: (path: string) => Promise<Exports> = createRequire(import.meta.url)('./import.cjs')

// biome-ignore lint/suspicious/noExplicitAny: whatever a snippet exports
type Exports = any

/** Where a snippet is run: an empty folder with the packed tarball, beside a service in a process of its own. */
export interface Scene {
  readonly folder: string
  readonly service: DevFacts
  /** The snippet as it stands. */
  readonly text: string
  /** What a snippet of JSON says. */
  readonly json: Exports
  /** What programs that know the service have in their environment. */
  readonly environment: Record<string, string>
  /** The snippet as a module, which is run by this. */
  load(): Promise<Exports>
  /** Another module of what was installed. */
  entry(name: string): Promise<Exports>
  /** A mailbox of what was installed. */
  open(): Promise<Mailbox>
  /** Lets a mail come in. */
  mail(mail?: SendMailOptions): Promise<void>
  /** The mail that has gone out, once there is so much, the oldest first. */
  sent(count: number): Promise<Message[]>
  /** Runs the snippet as a program, or another. */
  run(program?: string, env?: Record<string, string>): Promise<Running>
  /** Runs a command of the shell in the folder. */
  shell(command: string, env?: Record<string, string>): Running
}

/** JavaScript that the oldest Node runs. */
const compiled = (text: string): string =>
  ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText

/** A process that runs services of the tarball, one for each who asks. */
export async function startHost() {
  const folder = await installTarball()
  await copyFile(join(import.meta.dirname, 'host.mjs'), join(folder, 'host.mjs'))
  const child = fork(join(folder, 'host.mjs'), { env: cleanEnvironment(), execArgv: [], stdio: 'inherit' })
  const answers = new Map<number, (facts: DevFacts) => void>()
  child.on('message', ({ number, facts }: { number: number; facts: DevFacts }) =>
    answers.get(number)?.(facts),
  )
  return {
    open: (data: string): Promise<DevFacts> =>
      new Promise((resolve, reject) => {
        const number = answers.size
        answers.set(number, resolve)
        if (child.exitCode !== null) reject(new Error('the services have ended'))
        child.send({ number, data })
      }),
    stop: () => child.kill('SIGKILL'),
  }
}
export type Host = Awaited<ReturnType<typeof startHost>>

/** @param also packages that the snippet imports beside the tarball */
export async function openScene(
  host: Host,
  { text }: Block,
  also: Record<string, string> = {},
): Promise<Scene> {
  const folder = await openProject(also)
  const service = await host.open(join(folder, '.restante'))
  const path = join(folder, 'snippet.mjs')
  await writeFile(path, compiled(text))

  const ports = JSON.stringify({ 4525: Number(new URL(service.url).port) })
  const environment = {
    NODE_OPTIONS: `--require ${join(import.meta.dirname, 'ports.cjs')}`,
    RESTANTE_TEST_PORTS: ports,
    RESTANTE_API_KEY: service.api_key,
  }
  const port = Number(service.smtp.split(':')[1])
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } })
  const entry = (name: string): Promise<Exports> =>
    importByNode(pathToFileURL(join(folder, `../node_modules/restante/dist/${name}.js`)).href)
  let watching: Promise<Mailbox> | undefined
  const scene: Scene = {
    ...{ folder, service, entry, text, environment },
    get json() {
      return JSON.parse(text)
    },
    load: () => importByNode(pathToFileURL(path).href),
    async open() {
      const { Mailbox } = await entry('index')
      const { url, api_key: apiKey } = service
      const mailbox: Mailbox = await Mailbox.open({ url: url.replace(/\/v1$/, ''), apiKey })
      onTestFinished(() => mailbox.close())
      return mailbox
    },
    async mail(mail) {
      const usual = {
        from: 'Ana <ana@example.com>',
        to: service.address,
        subject: 'Bicycle',
        text: 'Is it blue?',
      }
      await transport.sendMail({ ...usual, ...mail })
    },
    async sent(count) {
      watching ??= scene.open()
      const { messages } = await watching
      const list = async () => (await messages.list({ direction: 'outbound' })).items.toReversed()
      await expect.poll(async () => (await list()).length).toBe(count)
      return list()
    },
    async run(program, env) {
      const file = program === undefined ? path : join(folder, 'program.mjs')
      if (program !== undefined) await writeFile(file, program)
      return start(process.execPath, [file], { cwd: folder, env: { ...environment, ...env } })
    },
    shell: (command, env) =>
      start('sh', ['-e', '-c', command], { cwd: folder, env: { ...environment, ...env } }),
  }
  return scene
}
