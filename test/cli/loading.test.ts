import { expect, it } from 'vitest'
import { cliPath, start } from './support/cli'

/** The packages that a command loads, and the file of the service, in the order of the alphabet: what CommonJS requires is told by its cache. */
async function packagesOf(...args: string[]): Promise<string[]> {
  const hook = `export async function load(url, context, next) { process._rawDebug(url); return next(url, context) }`
  const program = `import { createRequire, register } from 'node:module'
    register('data:text/javascript,${encodeURIComponent(hook)}')
    process.on('exit', () => process._rawDebug(Object.keys(createRequire(import.meta.url).cache ?? {}).join('\\n')))
    process.argv.splice(1, process.argv.length, ${JSON.stringify(cliPath)}, ...${JSON.stringify(args)})
    await import(${JSON.stringify(cliPath)})`
  const { code, err } = await start(process.execPath, ['--input-type=module', '--eval', program]).ended
  expect(code, err).toBe(0)
  const found = err.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)|dist\/(service-joined)\.js/g)
  const names = [...found].map(([, name, service]) => (name ?? service)!)
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

it('a command that is a stranger to the service loads nothing of it', async () => {
  for (const command of ['send', 'mail', 'reply'])
    expect(await packagesOf(command, '--help'), command).toEqual(['commander'])
  // The look sees what is loaded.
  expect(await packagesOf('serve', '--help')).toEqual(['commander', 'service-joined'])
})
