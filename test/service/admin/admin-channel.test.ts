import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from 'restante'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AdminChannel,
  type AdminHandler,
  callAdmin,
  openAdminChannel,
} from '../../../src/service/admin/admin-channel'
import { adminCommands } from '../../../src/service/admin/commands'
import { startService } from '../../support/service'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

describe('the channel of the host', () => {
  let folder: string
  let channel: AdminChannel | undefined
  const open = async (commands: Record<string, AdminHandler>) => {
    channel = await openAdminChannel(folder, commands, quiet)
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restante-admin-'))
  })
  afterEach(async () => {
    await channel?.close()
    channel = undefined
    await rm(folder, { recursive: true, force: true })
  })

  it('carries a command in, and how far it is and what came of it out', async () => {
    await open({
      async double({ of }, tell) {
        tell({ half: true })
        return { is: 2 * Number(of) }
      },
    })
    const reported: object[] = []
    expect(await callAdmin(folder, { command: 'double', of: 21 }, (facts) => reported.push(facts))).toEqual({
      is: 42,
    })
    expect(reported).toEqual([{ half: true }])
  })

  it('is for its owner only, and takes the place of what a killed process left', async () => {
    await writeFile(join(folder, 'admin.sock'), '')
    await open({})
    expect((await stat(join(folder, 'admin.sock'))).mode & 0o777).toBe(0o600)
  })

  it('tells a refusal with its code, and of anything else that it broke', async () => {
    await open({
      async refuse() {
        throw new UsageError('no_such_thing', 'There is none: make one.')
      },
      async fail() {
        throw new TypeError('broken')
      },
    })
    await expect(callAdmin(folder, { command: 'refuse' })).rejects.toMatchObject({
      code: 'no_such_thing',
      message: 'There is none: make one.',
    })
    await expect(callAdmin(folder, { command: 'fail' })).rejects.toMatchObject({ code: 'internal_error' })
    for (const command of ['other', 'toString', '__proto__'])
      await expect(callAdmin(folder, { command })).rejects.toMatchObject({ code: 'invalid_command' })
  })

  it.each(['', 'x\n', '[]\n', 'null\n', '"a"\n', `${'x'.repeat(100_000)}`])(
    'goes on after a request that is none',
    async (sent) => {
      await open({ here: async () => ({}) })
      const socket = createConnection(join(folder, 'admin.sock'))
      socket.on('error', () => {})
      socket.end(sent)
      socket.resume()
      await once(socket, 'close')
      expect(await callAdmin(folder, { command: 'here' })).toEqual({})
    },
  )

  it('waits for what runs when it closes, and for nobody who says nothing', async () => {
    let finish = () => {}
    const began = new Promise<void>((resolve) => {
      void open({
        async long() {
          resolve()
          await new Promise<void>((done) => (finish = done))
          return { done: true }
        },
      })
    })
    await expect.poll(() => readdir(folder)).toContain('admin.sock')
    const silent = createConnection(join(folder, 'admin.sock'))
    await once(silent, 'connect')
    const answer = callAdmin(folder, { command: 'long' })
    await began
    const closed = channel!.close()
    finish()
    expect(await answer).toEqual({ done: true })
    await closed
  })

  it('says so where no service answers', async () => {
    await expect(callAdmin(folder, { command: 'x' })).rejects.toMatchObject({ code: 'service_not_running' })
  })

  it('has every command of the table, and HTTP has none of them', async () => {
    await using service = await startService({ data: folder })
    const { body } = await service.call('GET', '/openapi.json')
    for (const name of Object.keys(adminCommands)) {
      const answer = await callAdmin(folder, { command: name }).catch((error) => error.code)
      expect(answer, name).not.toBe('invalid_command')
      for (const path of [`/${name}`, `/admin/${name}`]) {
        expect(body.paths, path).not.toHaveProperty([path])
        expect((await service.call('POST', path, { body: {} })).status, path).toBe(404)
      }
    }
  })

  it('is open while a service runs, and gone after it', async () => {
    const service = await startService({ data: folder })
    await expect(callAdmin(folder, { command: 'x' })).rejects.toMatchObject({ code: 'invalid_command' })
    await service[Symbol.asyncDispose]()
    expect(await readdir(folder)).not.toContain('admin.sock')
  })
})
