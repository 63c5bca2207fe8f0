import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder'

const run = promisify(execFile)
const source = join(import.meta.dirname, '../../src/client/platform/files-node.ts')

test('a process that may read only its own folder can load the parts of the client', async () => {
  const outfile = join(await temporaryFolder(), 'files.mjs')
  const stdin = {
    contents: `import { requireHandles } from '${source}'; requireHandles(); console.log('loads')`,
  }
  await build({
    stdin: { ...stdin, resolveDir: import.meta.dirname },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' },
  })
  const flag = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission'
  const { stdout } = await run(process.execPath, [flag, `--allow-fs-read=${outfile}`, outfile])
  expect(stdout).toBe('loads\n')
})
