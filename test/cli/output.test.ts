import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { paint } from '../../src/cli/base/output'
import { createProgress } from '../../src/cli/base/progress'

/** A terminal of 256 colours, as Node tells it. */
const terminal = () =>
  Object.assign(new PassThrough(), {
    isTTY: true,
    getColorDepth: (env = process.env) => (env.NO_COLOR ? 1 : 8),
  })

afterEach(() => void vi.unstubAllEnvs())

describe('colours', () => {
  it.each([
    ['are shown on a terminal', terminal, undefined, '\u001b[31mno\u001b[39m'],
    ['are left out where NO_COLOR is set', terminal, '1', 'no'],
    ['are left out where the output is no terminal', () => new PassThrough(), undefined, 'no'],
  ] as const)('%s', (_what, stream, noColor, shown) => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined)
    vi.stubEnv('NO_COLOR', noColor)
    expect(paint('red', 'no', stream() as unknown as NodeJS.WriteStream)).toBe(shown)
  })
})

describe('progress', () => {
  const shown = (isTTY: boolean, times: number[]) => {
    let nowMs = 0
    let text = ''
    const write = (part: string) => {
      text += part
    }
    const progress = createProgress({ write, isTTY }, () => nowMs)
    for (const time of times) {
      nowMs = time
      progress.tell(`at ${time}`)
    }
    progress.end()
    return text
  }

  it('is one line that changes on a terminal, and goes at the end', () => {
    expect(shown(true, [0, 50, 120])).toBe('\r\u001b[Kat 0\r\u001b[Kat 120\r\u001b[K')
  })

  it('is a line every ten seconds in a log, and nothing where the work is quick', () => {
    expect(shown(false, [0, 9_999])).toBe('')
    expect(shown(false, [0, 9_999, 10_000, 12_000, 20_001])).toBe('at 10000\nat 20001\n')
  })
})
