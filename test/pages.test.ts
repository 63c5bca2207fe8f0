import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes, routes } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import { clientFrame, serverFrame } from '../src/protocol/frames'
import { maxWaitMs } from '../src/protocol/records/common'
import { layerRefusalsOf } from '../src/protocol/routes/refusals'
import { asyncApiDocument } from '../src/service/http/asyncapi'
import { pages } from './snippets/blocks'
import { settingsTable, settingsTableIn } from './support/settings-table'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the pages of the documentation', () => {
  it('have the settings as they are', () => {
    expect(settingsTableIn(read('docs/operating.md'))).toBe(settingsTable())
  })

  it('have the frames and the close codes of the socket as they are', () => {
    const page = read('docs/http.md')
    const rows = [...page.matchAll(/^\| (\d+) \| `(\w+)` \| (yes|no) \| (.+) \|$/gm)]
    const codes = rows.map(([, code, reason, reconnect, meaning]) => ({
      code: Number(code),
      reason,
      reconnect: reconnect === 'yes',
      meaning,
    }))
    const { channels } = asyncApiDocument('http://127.0.0.1/v1')
    expect(codes).toEqual(channels.realtime['x-close-codes'])
    const reported = [...page.matchAll(/\{"type": "([\w-]+)"/g)].map(([, type]) => type)
    const types = [...clientFrame.options, ...serverFrame.options].map(({ shape }) => shape.type.value)
    expect(new Set(reported)).toEqual(new Set(types))
  })

  it('have what any operation refuses as it is', () => {
    const rows = [...read('docs/http.md').matchAll(/^\| (\d+) \| `(\w+)` \| (?!yes|no)/gm)]
    const codes = new Set(
      Object.values(routes).flatMap((group) => Object.values(group).flatMap(layerRefusalsOf)),
    )
    expect(rows.map(([, status, code]) => `${status} ${code}`).sort()).toEqual(
      [...codes].map((code) => `${errorCodes[code].status} ${code}`).sort(),
    )
    expect(read('docs/http.md')).toContain(`up to ${maxWaitMs}`)
  })

  it('give the command for the tests that CI runs', () => {
    expect(read('CONTRIBUTING.md')).toContain('\n```sh\nnpm test\n```\n')
    expect(read('CONTRIBUTING.md')).toContain('`npm run test:all`')
    expect(read('.ci/run')).toMatch(/&& npm test'$/m)
    expect(read('.ci/run')).toMatch(/&& npm run test:all'$/m)
  })

  it('begin with a sentence on what their reader wants, and code', () => {
    for (const page of pages().filter((path) => path.startsWith('docs/'))) {
      const lines = read(page).split('\n')
      expect(lines[0], page).toMatch(/^# \w/)
      expect(lines[2], page).toMatch(/^[A-Z].*[.:]$/)
      expect(
        lines.findIndex((line) => /^```\w/.test(line)),
        page,
      ).toBeLessThan(12)
    }
  })
})
