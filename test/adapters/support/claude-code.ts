import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { wordsOf } from './steps'

export type Step = string | { tool: string; input: object }
/** What the model does, after it was given a prompt. */
type Script = readonly Step[] | ((prompt: string) => Iterable<Step> | AsyncIterable<Step>)
/** Does a call of a tool. */
type Carry = (tool: string, work: () => Promise<string>) => Promise<string>

/** The conversation with the SDK, one message of JSON on a line. */
class Dialogue {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly #asked = new Map<string, (response: Record<string, unknown>) => void>()
  server = ''
  #calls = 0

  constructor(onPrompt: (prompt: string) => void) {
    createInterface({ input: this.stdin }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.type === 'control_response') this.#answered(message.response)
      else if (message.type === 'control_request') this.#begin(message)
      else if (message.type === 'user') onPrompt(JSON.stringify(message.message.content))
    })
  }

  say(message: object): void {
    this.stdout.write(`${JSON.stringify(message)}\n`)
  }

  ask(request: object): Promise<Record<string, unknown>> {
    return new Promise((resolve) => {
      const request_id = crypto.randomUUID()
      this.#asked.set(request_id, resolve)
      this.say({ type: 'control_request', request_id, request })
    })
  }

  /** A request to the server in the process of the SDK. */
  async rpc(method: string, params: object): Promise<Record<string, unknown>> {
    this.#calls += 1
    const message = { jsonrpc: '2.0', id: this.#calls, method, params }
    const { mcp_response } = await this.ask({ subtype: 'mcp_message', server_name: this.server, message })
    return (mcp_response as { result: Record<string, unknown> }).result
  }

  #answered({ request_id, response }: { request_id: string; response: Record<string, unknown> }): void {
    this.#asked.get(request_id)?.(response)
  }

  #begin({ request_id, request }: { request_id: string; request: { sdkMcpServers?: string[] } }): void {
    this.server = request.sdkMcpServers?.[0] ?? ''
    this.say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
  }
}

const call = async (dialogue: Dialogue, args: readonly string[], { tool, input }: Exclude<Step, string>) => {
  const { server } = dialogue
  const name = `mcp__${server}__${tool}`
  const tool_use_id = crypto.randomUUID()
  if (!args.includes(`--allowedTools=${name}`)) {
    const place = { mcp_server: { name: server, source: 'sdk' } }
    const request = { subtype: 'can_use_tool', tool_name: name, input, tool_use_id, ...place }
    const permit = await dialogue.ask(request)
    if (permit.behavior !== 'allow') return String(permit.message)
  }
  const _meta = { 'claudecode/toolUseId': tool_use_id }
  return JSON.stringify(await dialogue.rpc('tools/call', { name: tool, arguments: input, _meta }))
}

const pieceOf = (text: string) => ({
  ...{ type: 'stream_event', session_id: 's', parent_tool_use_id: null },
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
})

/** Runs it once: {@link told} is the list of tools, and then what the model was told after each call. */
function start(script: Script, reported: string[], carry: Carry, args: readonly string[]) {
  const play = async (prompt: string) => {
    const client = { clientInfo: { name: 'claude-code', version: '0.3' }, capabilities: {} }
    await dialogue.rpc('initialize', { protocolVersion: '2025-06-18', ...client })
    reported.push(JSON.stringify(await dialogue.rpc('tools/list', {})))
    for await (const step of typeof script === 'function' ? script(prompt) : script)
      if (typeof step !== 'string') reported.push(await carry(step.tool, () => call(dialogue, args, step)))
      else {
        if (args.includes('--include-partial-messages'))
          for (const text of wordsOf(step)) dialogue.say(pieceOf(text))
        dialogue.say({ type: 'result', subtype: 'success', is_error: false, result: step, session_id: 's' })
      }
    end()
  }
  const dialogue = new Dialogue((prompt) => void play(prompt))
  const { stdin, stdout } = dialogue
  const program = Object.assign(new EventEmitter(), {
    ...{ stdin, stdout, killed: false, exitCode: null as number | null },
    kill: () => end(),
  })
  const end = () => {
    if (program.exitCode !== null) return false
    program.exitCode = 0
    stdout.end(() => program.emit('exit', 0, null))
    return true
  }
  return program
}

/**
 * Stands for the program of Claude Code, which is not installed: the Claude Agent SDK starts it, and speaks with it over
 * standard input and output. Its model follows a script; it asks for permission and calls tools as the program does (0.3).
 */
export const claudeCode = (
  script: Script,
  reported: string[] = [],
  carry: Carry = (_tool, work) => work(),
) => ({
  pathToClaudeCodeExecutable: 'claude',
  spawnClaudeCodeProcess: ({ args }: { args: readonly string[] }) =>
    start(script, reported, carry, args) as never,
})
