import { run } from './run'

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', () => process.exit(1))

const exitCode = await run(process.argv.slice(2))
// Handles that an agent left open must not keep the process alive. The callback runs after all writes.
process.stdout.write('', () => process.exit(exitCode))
