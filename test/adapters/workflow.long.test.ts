import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { start, startDev } from '../cli/support/cli'
import { allBlocks } from '../snippets/blocks'
import { proves } from '../support/proves'
import { openProject } from '../support/tarball'
import { answerAsBoss, sentBy } from './support/durable'

const send = 'return await sendQuestion(mailbox, { id }, question)'
/** The same, but a process in which it HANGS ends behind the sending of the mail, before the step is written down. */
const sendOrHang = `const sent = await sendQuestion(mailbox, { id }, question)
  if (process.env.HANGS) await new Promise(() => {})
  return sent`

/** A folder of a stranger who has typed what the page says. */
async function typePage(): Promise<string> {
  const folder = await openProject({ workflow: 'workflow' })
  const blocks = allBlocks().filter(({ place }) => place.startsWith('docs/frameworks/workflow.md'))
  const [workflow, waking, commands, program] = blocks.map(({ text }) => text)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink('../../../node_modules/workflow/bin/run.js', join(folder, 'node_modules/.bin/workflow'))
  await mkdir(join(folder, 'workflows'))
  expect(workflow).toContain(send)
  await writeFile(join(folder, 'workflows/approval.ts'), workflow!.replace(send, sendOrHang))
  await writeFile(join(folder, 'waking.ts'), waking!)
  await writeFile(join(folder, 'run.mjs'), program!)
  const built = await start('sh', ['-ec', commands!], { cwd: folder }).ended
  expect(built, built.err).toMatchObject({ code: 0 })
  return folder
}

proves(
  'Vercel Workflow',
  'wait',
  'a workflow typed from its page sleeps until the answer to its mail, though it is killed before its step is done, which is done again; one mail goes out',
  async () => {
    const [folder, { facts }] = await Promise.all([typePage(), startDev()])
    const env = { RESTANTE_URL: facts.url, RESTANTE_API_KEY: facts.api_key }
    const run = (args: string[], more = {}) =>
      start(process.execPath, ['run.mjs', ...args], { cwd: folder, env: { ...env, ...more } })
    const first = run(['May I order 17 bicycles?'], { HANGS: '1' })
    const [, id] = await first.out(/asked (\w+)/)
    await expect.poll(() => sentBy(facts).then(({ length }) => length)).toBe(1)
    await first.kill('SIGKILL')
    await answerAsBoss(facts, 'Yes, but blue ones.')
    const second = run([])
    const outcome = async () => {
      const { out } = await start('npx', ['workflow', 'inspect', 'run', id!, '--json'], { cwd: folder }).ended
      return out
    }
    await expect.poll(outcome, { timeout: 150_000, interval: 500 }).toContain('Yes, but blue ones.')
    await second.kill('SIGKILL')
    expect(await sentBy(facts)).toHaveLength(1)
  },
  240_000,
)
