import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
const adapters = readdirSync(join(root, 'adapters'))
  .filter((file) => /^[\w-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -3))

/** The framework that an adapter may load, if any. Types are no matter: they are gone when it runs. */
const frameworks: Record<string, string[]> = {
  'chat-sdk': ['chat'],
  mastra: ['@mastra/core'],
  mcp: ['@modelcontextprotocol/server', '@hono/node-server', 'lru-cache'],
  langchain: ['@langchain/core'],
  'langchain-middleware': ['@langchain/core', 'langchain'],
  langgraph: ['@langchain/core', '@langchain/langgraph'],
  'openai-agents': ['@openai/agents'],
  'google-adk': ['@google/adk'],
  'claude-agent': ['@anthropic-ai/claude-agent-sdk'],
  strands: ['@strands-agents/sdk'],
  genkit: ['genkit'],
  voltagent: ['@voltagent/core'],
}

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** All that a built file imports, at once or later, itself and in what it is split into. */
function importsOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return []
  seen.add(path)
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true)
  return importedFiles.flatMap(({ fileName }) =>
    fileName.startsWith('.') ? importsOf(join(dirname(path), fileName), seen) : [fileName],
  )
}

/** The packages that come with an adapter, besides those of the mailbox. */
const loadedBy = (adapter: string) => {
  const imports = importsOf(join(root, 'dist', `${adapter}.js`)).filter((name) => !isBuiltin(name))
  const own = ['restante', 'zod', ...(frameworks[adapter] ?? [])]
  return [...new Set(imports.map(packageOf))].filter((name) => !own.includes(name))
}

it.each(adapters)('restante/%s loads no framework but its own', (adapter) => {
  expect(exports).toHaveProperty([`./${adapter}`])
  expect(existsSync(join(root, 'dist', `${adapter}.js`))).toBe(true)
  expect(loadedBy(adapter)).toEqual([])
})

it('the check of imports sees what the command line loads', () => {
  expect(loadedBy('cli')).toContain('commander')
})
