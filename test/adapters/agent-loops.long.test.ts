import { test } from 'vitest'
import { type Framework, factsOf } from '../support/frameworks'
import { obstacle, proves } from '../support/proves'
import { answers, answersOnce } from './support/answering'
import { runsBundled } from './support/bundling'

proves('Strands Agents', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('strands'),
)
proves('Strands Agents', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('strands'),
)
proves('Genkit', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () => answers('genkit'))
proves('Genkit', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('genkit'),
)
proves('VoltAgent', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('voltagent'),
)
proves('VoltAgent', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('voltagent'),
)

proves('Claude Agent SDK', ['loop', 'streaming'], 'mail runs an agent that streams its answer', () =>
  answers('claude'),
)
proves('Claude Agent SDK', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('claude'),
)
proves('Vercel AI SDK 5, 6, 7', 'streaming', 'mail runs an agent that streams its answer', () =>
  answers('aiSdk'),
)

const bundled: [Framework, string, string, string?][] = [
  ['Strands Agents', 'strands', '@strands-agents/sdk'],
  ['Genkit', 'genkit', 'genkit'],
  ['VoltAgent', 'voltagent', '@voltagent/core'],
  ['Claude Agent SDK', 'claude-agent', '@anthropic-ai/claude-agent-sdk', 'createMailboxServer'],
]
test.for(bundled)('tools for %s run in a bundle beside it', ([framework, entry, needs, make], { skip }) => {
  skip(obstacle(factsOf(framework)) !== null, needs)
  return runsBundled(entry, needs, make)
})
