// Opens a mailbox while no file can be opened, and again once files can: prints what came of both.
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { Mailbox } from 'restante'

const [url, apiKey] = process.argv.slice(2)
const held = []
const open = () =>
  Mailbox.open({ url, apiKey }).then(
    (mailbox) => mailbox.close().then(() => 'open'),
    (error) => error.code,
  )
try {
  for (;;) held.push(openSync(devNull, 'r'))
} catch {
  // All are taken.
}
const starved = await open()
for (const handle of held) closeSync(handle)
console.log(JSON.stringify({ starved, after: await open() }))
