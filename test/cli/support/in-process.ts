import { vi } from 'vitest'
import { run } from '../../../src/cli/run'
import type { Ended } from './cli'

/** Runs `restante` in this process, which costs no start of one; what the test has in its environment does not count. */
export async function runHere(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  for (const name of Object.keys(process.env)) if (name.startsWith('RESTANTE_')) vi.stubEnv(name, '')
  for (const [name, value] of Object.entries({ NO_COLOR: '1', ...env })) vi.stubEnv(name, value)
  const texts = { out: '', err: '' }
  const spies = [spyOn(process.stdout, 'out'), spyOn(process.stderr, 'err')]
  try {
    return { code: await run(args), ...texts }
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }

  function spyOn(stream: NodeJS.WriteStream, name: keyof typeof texts) {
    return vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')
      return true
    })
  }
}
