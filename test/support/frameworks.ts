import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an adapter can give to its framework: the columns of the table in the README. */
export const capabilities = {
  tools: 'the agent reads and writes mail by its tools',
  approval: 'a human is asked before mail goes out',
  loop: 'mail that comes in runs the agent, and its answer goes out',
  wait: 'a run sleeps until the reply, and goes on with it',
  streaming: 'what the framework streams, or takes as a stream',
}
export type Capability = keyof typeof capabilities

interface FrameworkFacts {
  /** Its page in docs/frameworks. */
  page: string
  /** Where the adapter is imported from. */
  entry: string
  /** The first version of Node that the framework runs on. */
  node: number
  /** A package of `test/frameworks/package.json` without which its tests cannot run. */
  needs?: string
}

/** The rows of the table. A test that proves something for a framework names it as here. */
export const frameworks = {
  'Vercel AI SDK 5, 6, 7': { page: 'ai-sdk', entry: 'restante/ai-sdk', node: 20 },
  'Vercel Chat SDK': { page: 'chat-sdk', entry: 'restante/chat-sdk', node: 20 },
  'Mastra channels': { page: 'mastra', entry: 'restante/chat-sdk', node: 22, needs: '@mastra/core' },
  Restate: { page: 'restate', entry: 'restante/restate', node: 22, needs: '@restatedev/restate-server' },
  DBOS: { page: 'dbos', entry: 'restante/dbos', node: 20, needs: '@dbos-inc/dbos-sdk' },
  'Vercel Workflow': { page: 'workflow', entry: 'restante/durable', node: 20, needs: 'workflow' },
  'OpenAI Agents SDK': {
    page: 'openai-agents',
    entry: 'restante/openai-agents',
    node: 22,
    needs: '@openai/agents',
  },
  Mastra: { page: 'mastra', entry: 'restante/mastra', node: 22, needs: '@mastra/core' },
  'Model Context Protocol 2025-11, 2026-07': { page: 'mcp', entry: 'restante/mcp', node: 20 },
  'LangChain 1.x': { page: 'langchain', entry: 'restante/langchain', node: 20, needs: 'langchain' },
  'LangGraph 1.x': {
    page: 'langgraph',
    entry: 'restante/langgraph',
    node: 20,
    needs: '@langchain/langgraph',
  },
  'Google ADK 2': {
    page: 'google-adk',
    entry: 'restante/google-adk',
    node: 20,
    needs: '@google/adk',
  },
  'Claude Agent SDK': {
    page: 'claude-agent',
    entry: 'restante/claude-agent',
    node: 20,
    needs: '@anthropic-ai/claude-agent-sdk',
  },
  'Strands Agents': {
    page: 'strands',
    entry: 'restante/strands',
    node: 20,
    needs: '@strands-agents/sdk',
  },
  Genkit: { page: 'genkit', entry: 'restante/genkit', node: 20, needs: 'genkit' },
  VoltAgent: { page: 'voltagent', entry: 'restante/voltagent', node: 20, needs: '@voltagent/core' },
  'EventEmitter and streams': { page: 'event-loops', entry: 'restante/events', node: 20 },
  RxJS: { page: 'event-loops', entry: 'restante/events', node: 20, needs: 'rxjs' },
} as const satisfies Record<string, FrameworkFacts>
export type Framework = keyof typeof frameworks
export const factsOf = (framework: Framework): FrameworkFacts => frameworks[framework]

/** What one test proves. */
export interface Proof {
  framework: string
  capability: string
  /** The file of the test, from the root of the project. */
  path: string
}

/** What the tests of a file prove: its calls of `proves`. */
export const proofsIn = (path: string, text: string): Proof[] =>
  [...text.matchAll(/^ *proves\(\s*(?:'([^']+)',\s*('\w+'|\[['\w, ]+\]),)?/gm)].flatMap(
    ([, framework, names]) => {
      if (!framework || !names)
        throw new Error(`${path}: proves() takes its framework and capabilities as literals`)
      return [...names.matchAll(/\w+/g)].map(([capability]) => ({ framework, capability, path }))
    },
  )

const root = join(import.meta.dirname, '../..')

/** What all tests of the project prove. */
export const allProofs = (): Proof[] =>
  ['test/adapters', 'test/frameworks']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
    .flatMap((path) => proofsIn(path, readFileSync(join(root, path), 'utf8')))

/** The table of the README: each mark leads to the test that it stands for. */
export function frameworkTable(proofs: readonly Proof[] = allProofs()): string {
  const names = Object.keys(capabilities)
  const rows = Object.keys(frameworks).map((framework) => {
    const { page, entry, node } = factsOf(framework as Framework)
    const marks = names.map((capability) => {
      const proof = proofs.find((one) => one.framework === framework && one.capability === capability)
      return proof ? `[yes](${proof.path})` : ''
    })
    const name = `[${framework}](docs/frameworks/${page}.md)`
    return `| ${[name, `\`${entry}\``, node, ...marks].join(' | ')} |`
  })
  return [
    `| framework | import | Node | ${names.join(' | ')} |`,
    `|${'---|'.repeat(names.length + 3)}`,
    ...rows,
  ].join('\n')
}

const between = /(<!-- frameworks -->\n)(.*?)(\n<!-- \/frameworks -->)/s

/** A README whose table is that of the tests. */
export const withFrameworkTable = (readme: string): string =>
  readme.replace(between, (_all, before, _old, after) => before + frameworkTable() + after)
