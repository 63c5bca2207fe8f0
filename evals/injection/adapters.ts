import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenAgent } from './agents/agent'
import { openAgentInbox, openGenerateText } from './agents/ai-sdk'
import { openClaudeAgent } from './agents/claude-agent'
import { openGenkit } from './agents/genkit'
import { openGoogleAdk } from './agents/google-adk'
import { openLangChain, openLangChainAsking, openLangChainInbox } from './agents/langchain'
import { openMastra } from './agents/mastra'
import { openMcp } from './agents/mcp'
import { openOpenAi } from './agents/openai-agents'
import { openStrands } from './agents/strands'
import { openDesk, openInbox, openToolbox } from './agents/toolbox'
import { openVoltAgent } from './agents/voltagent'

/** A way in which agents get the tools. */
export interface Adapter {
  readonly name: string
  readonly open: OpenAgent
  /** The work that the agent is given: the inbox as it is, a mail, or a mail that its last words answer. */
  readonly at: 'desk' | 'mail' | 'inbox'
  /** True where every plot is played, and not one of three of each family. */
  readonly all: boolean
}

const root = join(import.meta.dirname, '../..')
const isThere = (name: string) => existsSync(join(root, 'node_modules', name))
const hasNode22 = Number(process.versions.node.split('.')[0]) >= 22

type Make = (name: string, open: OpenAgent, all?: boolean) => Adapter
const has: Make = (name, open, all = false) => ({ name, open, at: 'mail', all })
const inbox: Make = (name, open, all = false) => ({ name, open, at: 'inbox', all })
const desk: Make = (name, open, all = false) => ({ name, open, at: 'desk', all })

const aiSdk = [
  has('AI SDK 6', openGenerateText(1, true)),
  desk('AI SDK 6, no mail at hand', openGenerateText(1, false)),
  inbox('AI SDK 6 agentInbox', openAgentInbox(1)),
  has('AI SDK 5', openGenerateText(0, true)),
  inbox('AI SDK 5 agentInbox', openAgentInbox(0)),
]
const aiSdk7 = [has('AI SDK 7', openGenerateText(2, true)), inbox('AI SDK 7 agentInbox', openAgentInbox(2))]
const langChain = [
  has('LangChain', openLangChain(true)),
  has('LangChain middleware', openLangChainAsking(true)),
  desk('LangChain middleware, no mail at hand', openLangChainAsking(false)),
  inbox('LangChain agentInbox', openLangChainInbox),
]
const openAi = [
  has('OpenAI Agents', openOpenAi(true)),
  desk('OpenAI Agents, no mail at hand', openOpenAi(false)),
]
const googleAdk = [
  has('Google ADK', openGoogleAdk(true)),
  desk('Google ADK, no mail at hand', openGoogleAdk(false)),
]
const genkit = [has('Genkit', openGenkit(true)), desk('Genkit, no mail at hand', openGenkit(false))]
const voltAgent = [
  has('VoltAgent', openVoltAgent(true)),
  desk('VoltAgent, no mail at hand', openVoltAgent(false)),
]
const strands = [
  has('Strands Agents', openStrands(true)),
  desk('Strands Agents, no mail at hand', openStrands(false)),
]
const claudeAgent = [
  has('Claude Agent SDK', openClaudeAgent(true)),
  desk('Claude Agent SDK, no mail at hand', openClaudeAgent(false)),
]
const mastra = [has('Mastra', openMastra(true)), desk('Mastra, no mail at hand', openMastra(false))]

/** All adapters that can run here. */
export const adapters: readonly Adapter[] = [
  inbox('toolbox', openToolbox, true),
  inbox('runInbox', openInbox, true),
  desk('toolbox, no mail at hand', openDesk),
  desk('MCP', openMcp(1)),
  desk('MCP 2025-11-25', openMcp(0)),
  ...aiSdk,
  ...(hasNode22 ? aiSdk7 : []),
  ...(isThere('langchain') ? langChain : []),
  ...(isThere('@openai/agents') ? openAi : []),
  ...(isThere('@mastra/core') ? mastra : []),
  ...(isThere('@google/adk') ? googleAdk : []),
  ...(isThere('@anthropic-ai/claude-agent-sdk') ? claudeAgent : []),
  ...(isThere('@strands-agents/sdk') ? strands : []),
  ...(isThere('genkit') ? genkit : []),
  ...(isThere('@voltagent/core') ? voltAgent : []),
]
