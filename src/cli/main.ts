import { run } from './run'

// The reader of the output may leave before its end, as `head` does.
process.stdout.on('error', () => process.exit(1))

const exitCode = await run(process.argv.slice(2))
// What an agent left open must not keep a stopped process; the writes before this have gone out when it is called back.
process.stdout.write('', () => process.exit(exitCode))
