import { expect, it } from 'vitest'
import { cliPath, start } from './support/cli'

/** The packages that a command loads, sorted. Packages that CommonJS requires are in its cache. */
async function packagesOf(...args: string[]): Promise<string[]> {
  const hook = `export async function load(url, context, next) { process._rawDebug(url); return next(url, context) }`
  const program = `import { createRequire, register } from 'node:module'
    register('data:text/javascript,${encodeURIComponent(hook)}')
    process.on('exit', () => process._rawDebug(Object.keys(createRequire(import.meta.url).cache ?? {}).join('\\n')))
    process.argv.splice(1, process.argv.length, ${JSON.stringify(cliPath)}, ...${JSON.stringify(args)})
    await import(${JSON.stringify(cliPath)})`
  const { code, err } = await start(process.execPath, ['--input-type=module', '--eval', program]).ended
  expect(code, err).toBe(0)
  const names = [...err.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name]) => name!)
  return [...new Set(names)].sort()
}

it('restante --help loads nothing but the reader of arguments', async () => {
  expect(await packagesOf('--help')).toEqual(['commander'])
})

it('an old Node is refused before anything is loaded', async () => {
  const program = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.1' } })
    process.argv.splice(1, process.argv.length, ${JSON.stringify(cliPath)}, '--version')
    await import(${JSON.stringify(cliPath)})`
  const { code, out, err } = await start(process.execPath, ['--input-type=module', '--eval', program]).ended
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^restante: Restante needs Node 20\.19 or newer, and this is 20\.18\.1\. /),
  })
})

it('a command that needs no service loads nothing of it', async () => {
  for (const command of ['send', 'mail', 'reply'])
    expect(await packagesOf(command, '--help'), command).toEqual(['commander'])
  // A command that needs the service shows that the check works.
  expect(await packagesOf('serve', '--help')).toEqual(expect.arrayContaining(['pino', 'piscina']))
})
