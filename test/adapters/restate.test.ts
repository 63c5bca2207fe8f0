import { createRequire } from 'node:module'
import { askByMail, type RestateContext } from 'restante/restate'
import { expect, test } from 'vitest'
import { freePort } from '../../bench/ports.mjs'
import { start, startDev, temporaryFolder } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { proves } from '../support/proves'
import { answerAsBoss, isOpen, runExample, sentBy } from './support/durable'

/** Starts the server of Restate on what is in the folder. */
const startRestate = async (folder: string, [ingress, admin, node]: readonly number[]) => {
  const paths = createRequire(
    createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'),
  )
  const { platform, arch } = process
  const binary = paths.resolve(`@restatedev/restate-server-${platform}-${arch}/bin/restate-server`)
  const server = start(
    binary,
    ['--no-logo', '--node-name', 'test', '--base-dir', folder, '--listen-mode', 'tcp'],
    {
      env: {
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
        RESTATE_DEFAULT_NUM_PARTITIONS: '1',
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '64 MB',
        RESTATE_DISABLE_TELEMETRY: 'true',
        DO_NOT_TRACK: '1',
        RUST_LOG: 'warn',
      },
    },
  )
  for (const port of [ingress!, admin!]) await expect.poll(() => isOpen(port), { interval: 50 }).toBe(true)
  return server
}

proves(
  'Restate',
  'wait',
  'a handler sleeps until the answer to its mail, though it and Restate are killed; one mail goes out',
  async () => {
    const folder = await temporaryFolder()
    const { facts } = await startDev()
    const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()])
    const env = {
      RESTANTE_URL: facts.url,
      RESTANTE_API_KEY: facts.api_key,
      RESTATE_INGRESS: `http://127.0.0.1:${ports[0]}`,
      RESTATE_ADMIN: `http://127.0.0.1:${ports[1]}`,
      PORT: `${ports[3]}`,
    }
    const server = await startRestate(folder, ports)
    const first = runExample('examples/restate.ts', env)
    await first.out(/asked/)
    await expect.poll(() => sentBy(facts).then(({ length }) => length)).toBe(1)
    await Promise.all([first.kill('SIGKILL'), server.kill('SIGKILL')])
    await answerAsBoss(facts, 'Yes, but blue ones.')
    await startRestate(folder, ports)
    const second = runExample('examples/restate.ts', env)
    await second.out(/the boss said: Yes, but blue ones\./)
    expect(await sentBy(facts)).toHaveLength(1)
  },
  120_000,
)

/** A handler whose steps are run again, as after a crash before they were recorded, and whose answer does not come. */
const crashing: RestateContext = {
  run: async (_name, action) => {
    await action()
    return action()
  },
  awakeable: <T>() => {
    const late = Object.assign(new Error('Timeout occurred'), { name: 'TimeoutError' })
    return {
      id: 'sign_1abc',
      promise: Object.assign(new Promise<T>(() => {}), { orTimeout: () => Promise.reject(late) }),
    }
  },
}

test('a step that is run again sends nothing again, and a timeout is a value', async () => {
  await using real = await openReal()
  let words = 0
  const question = {
    key: 'question',
    to: 'boss@example.com',
    subject: 'May I?',
    // A model does not repeat itself.
    get text() {
      words += 1
      return `Yes or no? ${words}`
    },
  }
  expect(await askByMail(crashing, real.mailbox, { ...question, timeoutMs: 1_000 })).toBeNull()
  expect(await askByMail(crashing, real.mailbox, { ...question, timeoutMs: 1_000 })).toBeNull()
  expect(await real.sentMail()).toHaveLength(1)
})

test('a Node that is too old for the SDK of Restate is told of in one line', async () => {
  const importing = (before: string) =>
    start(process.execPath, ['--input-type=module', '--eval', `${before}; await import('restante/restate')`])
      .ended
  expect(await importing('delete Promise.withResolvers')).toEqual({
    code: 0,
    out: '',
    err: expect.stringMatching(/^restante\/restate: .*: use Node 22 or newer\n$/),
  })
  expect(await importing('Promise.withResolvers ??= () => {}')).toMatchObject({ code: 0, err: '' })
})
