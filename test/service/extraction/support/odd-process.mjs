// Stands for a library that a file has taken over: it does what the name of the file says.
import { readFileSync } from 'node:fs'

let input = ''
for await (const chunk of process.stdin) input += chunk
const { filename } = JSON.parse(input.split('\n')[0])
const answer = (text) =>
  process.stdout.write(
    JSON.stringify({ status: 'ready', format: 'text', pages: [text], pageCount: 1, isCut: false }),
  )
const attempts = {
  hang: () => {
    for (;;);
  },
  grow: () => {
    const kept = []
    for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
  },
  crash: () => process.exit(3),
  flood: () => {
    const write = () => process.stdout.write('x'.repeat(1024 * 1024), write)
    write()
  },
  spy: async () => {
    const tries = [
      () => readFileSync('/etc/hostname'),
      async () => (await import('node:child_process')).execSync('true'),
      async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
    ]
    const codes = []
    for (const attempt of tries)
      try {
        await attempt()
        codes.push('allowed')
      } catch (error) {
        codes.push(error.code)
      }
    answer(`${codes.join(' ')} ${Object.keys(process.env).length}`)
  },
  echo: () => answer(input.split('\n')[1]),
}
await attempts[filename]()
