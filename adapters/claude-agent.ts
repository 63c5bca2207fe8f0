import {
  type CanUseTool,
  createSdkMcpServer,
  tool as defineTool,
  type Options,
} from '@anthropic-ai/claude-agent-sdk'
import { checkOptions, type Mailbox, type OptionNames } from 'restante'
import {
  type AskedCall,
  type BoundTool,
  createToolbox,
  type ShownMail,
  type Toolbox,
  type ToolboxOptions,
  type ToolName,
  toolContent,
} from './tools'
import { askedCall, deniedText } from './tools/asked'
import { boundTools, toolboxNames, withPictures } from './tools/toolbox'

/** Options of the server: what its tools may do, and how a human is asked. */
export interface ClaudeAgentOptions extends ToolboxOptions {
  /** Name of the server: its tools are `mcp__mailbox__reply` and so on. Default `mailbox`. */
  name?: string | undefined
  /**
   * Asks a human about a call. Its `signal` aborts when the run is over. Without `ask`, the message becomes a
   * draft that waits.
   */
  ask?: ((call: AskedCall & { readonly signal: AbortSignal }) => Promise<boolean>) | undefined
}

const names: OptionNames<ClaudeAgentOptions> = { ...toolboxNames, name: 'string', ask: 'function' }

/** Mailbox as a server for `query`. */
export interface MailboxServer {
  /** Options for `query`: the server, and the function that decides about its calls. */
  readonly options: Required<Pick<Options, 'mcpServers' | 'canUseTool'>>
  /** Messages that the model was shown. Store them with the session id, and pass them on resuming. */
  readonly shown: ShownMail
}

/** Calls that a human has approved. Each is let through once, with the same input. */
class Approvals {
  readonly #keys: string[] = []

  static key = ({ name, input }: BoundTool, given: unknown): string =>
    JSON.stringify([name, input.safeParse(given).data])

  add(tool: BoundTool, given: unknown): void {
    this.#keys.push(Approvals.key(tool, given))
  }

  take(tool: BoundTool, given: unknown): boolean {
    const at = this.#keys.indexOf(Approvals.key(tool, given))
    if (at >= 0) this.#keys.splice(at, 1)
    return at >= 0
  }
}

const toTool = (tool: BoundTool, approvals: Approvals) => {
  const run = async (given: unknown, extra: unknown) => {
    const { signal, _meta } = extra as { signal?: AbortSignal; _meta?: Record<string, unknown> }
    const callId = _meta?.['claudecode/toolUseId']
    const output = await tool.call(given, {
      callId: typeof callId === 'string' ? callId : undefined,
      signal,
      approved: approvals.take(tool, given),
    })
    const isError = 'status' in output && output.status === 'refused'
    const { text, pictures } = toolContent(output)
    const shown = pictures.map(({ media_type: mimeType, data }) => ({
      type: 'image' as const,
      data,
      mimeType,
    }))
    return { content: [{ type: 'text' as const, text }, ...shown], isError }
  }
  const annotations = { readOnlyHint: tool.risk === 'read', openWorldHint: tool.risk === 'send' }
  // The whole schema, not its fields: it refuses unknown fields, such as a copy to somebody.
  return defineTool(tool.name, tool.description, tool.input as never, run as never, { annotations })
}

const denied = (message: string) => ({ behavior: 'deny' as const, message })

const decide = (toolbox: Toolbox, prefix: string, approvals: Approvals, ask: ClaudeAgentOptions['ask']) => {
  const canUseTool: CanUseTool = async (name, input, { signal, mcpServer }) => {
    const isOurs = name.startsWith(prefix) && (mcpServer === undefined || mcpServer.source === 'sdk')
    const tool = isOurs
      ? (toolbox.tools[name.slice(prefix.length) as ToolName] as BoundTool | undefined)
      : undefined
    if (!tool) return denied(`${name} is no tool of the mailbox, and nothing else may be used`)
    if (ask && (await tool.needsApproval(input))) {
      if (!(await ask({ ...(await askedCall(tool, input)), signal }))) return denied(deniedText)
      approvals.add(tool, input)
    }
    return { behavior: 'allow', updatedInput: input }
  }
  return canUseTool
}

/**
 * Makes a mailbox an in-process server for the Claude Agent SDK: one for each run.
 *
 * `ask` asks a human about calls that need approval, with the whole message. Without `ask`, or if another
 * rule lets the call through, the message becomes a draft that waits. Other tools are denied: to allow some,
 * call `options.canUseTool` from a function of your own.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { query } from '@anthropic-ai/claude-agent-sdk'
 * import { createMailboxServer } from 'restante/claude-agent'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const { options } = createMailboxServer(mailbox, { message })
 *   for await (const _ of query({ prompt: await message.toPrompt(), options: { ...options, tools: [] } }));
 * }
 * ```
 */
export function createMailboxServer(mailbox: Mailbox, options: ClaudeAgentOptions = {}): MailboxServer {
  checkOptions('createMailboxServer()', options, names)
  const { name = 'mailbox', ask, ...rest } = options
  const toolbox = createToolbox(mailbox, withPictures(rest))
  const approvals = new Approvals()
  const server = createSdkMcpServer({
    name,
    tools: boundTools(toolbox).map((tool) => toTool(tool, approvals)) as never[],
    alwaysLoad: true,
  })
  const prefix = `mcp__${name}__`
  return {
    options: {
      mcpServers: { [name]: server },
      canUseTool: decide(toolbox, prefix, approvals, ask),
    },
    get shown() {
      return toolbox.shown
    },
  }
}
