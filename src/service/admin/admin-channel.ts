import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isRestanteError, RestanteError, UsageError } from '../../protocol/errors/error'
import type { Logger } from '../ports'

/**
 * Runs one command of the administrator. `tell` reports progress; the result is the last line of the answer.
 * An error of this package reaches the caller with its code and message.
 */
export type AdminHandler = (
  request: Record<string, unknown>,
  tell: (facts: object) => void,
) => Promise<object>

/** Channel for commands of the administrator, while a service holds its data folder. */
export interface AdminChannel {
  /** Accepts no new command, and waits for the running ones. */
  close(): Promise<void>
}

type AnswerLine = { progress: object } | { done: object } | { error: string; message: string }

const socketOf = (folder: string) => join(folder, 'admin.sock')
/** Maximum length of a unix socket path on all systems. */
const maxPathBytes = 103
const maxRequestCharacters = 64 * 1024

/** Reads the first line of a connection; null if there is none, or it is too long. */
function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const end = (line: string | null) => {
      socket.off('data', read)
      resolve(line)
    }
    const read = (part: string) => {
      text += part
      const at = text.indexOf('\n')
      if (at >= 0) end(text.slice(0, at))
      else if (text.length > maxRequestCharacters) end(null)
    }
    socket.setEncoding('utf8').on('data', read)
    socket.once('close', () => end(null)).on('error', () => {})
  })
}

function parseRequest(line: string): Record<string, unknown> {
  try {
    const request: unknown = JSON.parse(line)
    if (typeof request === 'object' && request !== null) return request as Record<string, unknown>
  } catch {}
  throw new UsageError('invalid_command', 'A command is one line of JSON, {"command": …}.')
}

/**
 * Opens the channel in a data folder that this process has locked: a unix socket that only its owner can use.
 * The request is one line of JSON, `{"command": name, …}`. The answer ends with a line that has `done` or
 * `error`.
 */
export async function openAdminChannel(
  folder: string,
  commands: Record<string, AdminHandler>,
  logger: Logger,
): Promise<AdminChannel> {
  const running = new Set<Promise<void>>()
  const silent = new Set<Socket>()

  async function answer(line: string, write: (line: AnswerLine) => void): Promise<void> {
    try {
      const { command: name, ...request } = parseRequest(line)
      const command = Object.hasOwn(commands, String(name)) ? commands[String(name)] : undefined
      if (!command) throw new UsageError('invalid_command', `There is no command ${String(name)}.`)
      write({ done: await command(request, (progress) => write({ progress })) })
    } catch (error) {
      const known = isRestanteError(error)
      if (!known) logger.error({ error }, 'an admin command failed')
      const { message } = error as Error
      write({ error: known ? error.code : 'internal_error', message })
    }
  }

  async function serve(socket: Socket): Promise<void> {
    silent.add(socket)
    const line = await readLine(socket)
    silent.delete(socket)
    if (line !== null) await answer(line, (progress) => socket.write(`${JSON.stringify(progress)}\n`))
    socket.end()
  }

  const server = createServer((socket) => {
    const served = serve(socket).finally(() => running.delete(served))
    running.add(served)
  })
  const idle: AdminChannel = { close: async () => {} }
  const path = socketOf(folder)
  if (Buffer.byteLength(path) > maxPathBytes) {
    logger.warn({ path }, 'the path of the data folder is too long: admin commands cannot reach this service')
    return idle
  }
  try {
    rmSync(path, { force: true }) // left by a killed process: this one has locked the folder
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    chmodSync(path, 0o600)
  } catch (error) {
    logger.warn({ error, path }, 'admin commands cannot reach this service')
    return idle
  }
  server.unref()
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of silent) socket.destroy()
      await Promise.all(running)
      await closed
    },
  }
}

/**
 * Runs a command in the service that holds a data folder.
 *
 * @returns The answer of the command.
 * @throws UsageError `service_not_running`, or the refusal of the command, with its code
 */
export async function callAdmin(
  folder: string,
  request: { command: string } & Record<string, unknown>,
  onProgress: (facts: object) => void = () => {},
): Promise<Record<string, unknown>> {
  const socket = createConnection(socketOf(folder))
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    const failed = new Promise<never>((_, reject) => socket.on('error', reject))
    return await Promise.race([failed, readAnswer(socket, onProgress)])
  } catch (error) {
    if (isRestanteError(error)) throw error
    throw new UsageError(
      'service_not_running',
      `No service answers on the data folder ${folder}: start it, or name its folder with --data.`,
      { cause: error },
    )
  } finally {
    socket.destroy()
  }
}

async function readAnswer(socket: Socket, onProgress: (facts: object) => void) {
  for await (const text of createInterface({ input: socket })) {
    const line = JSON.parse(text) as AnswerLine
    if ('done' in line) return line.done as Record<string, unknown>
    if ('error' in line) throw new RestanteError(line.error, line.message)
    onProgress(line.progress)
  }
  throw new UsageError('service_stopped', 'The service stopped before it had answered: look at its log.')
}
