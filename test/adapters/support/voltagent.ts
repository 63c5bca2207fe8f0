import type { Tool } from '@voltagent/core'
import type { Model } from './ai-versions'

/** Loads VoltAgent before anybody else does: unless in production it asks the network for the names of models. */
export async function loadVoltAgent() {
  const { NODE_ENV = '' } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await import('@voltagent/core')
  } finally {
    process.env.NODE_ENV = NODE_ENV
  }
}

/** An agent of VoltAgent with these tools, without instructions: the AI SDK warns of those at each call. */
export async function voltAgent(tools: Tool[], model: Model, maxSteps = 20) {
  const { Agent } = await loadVoltAgent()
  const described = { name: 'desk', instructions: '', memory: false } as const
  return new Agent({ ...described, model: model as never, tools, maxSteps })
}
