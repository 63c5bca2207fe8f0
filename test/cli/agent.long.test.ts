import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DevFacts, startDev, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

const echoing = (words: string) => `
  export default async (mailbox: { incoming(): AsyncIterable<any> }) => {
    for await (const message of mailbox.incoming()) await message.reply({ text: ${JSON.stringify(words)} })
    console.error('the loop of ${words} has ended')
  }`

async function startAgent(text: string) {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.ts')
  await writeFile(file, text)
  const started = await startDev(['--data', join(folder, 'data'), '--agent', file])
  return { ...started, change: (changed: string) => writeFile(file, changed) }
}

const mail = ({ address, smtp }: DevFacts, subject: string) =>
  runHere(['send', address, 'Hello', '--subject', subject, '--smtp', smtp])

async function textOf({ url, api_key }: DevFacts, id: string): Promise<string> {
  const answer = await fetch(`${url}/messages/${id}`, { headers: { authorization: `Bearer ${api_key}` } })
  return ((await answer.json()) as { body_text: string }).body_text
}

describe('restante dev --agent', () => {
  it('starts a changed agent anew, which gets the mail from then on', async () => {
    const { dev, facts, change } = await startAgent(echoing('one'))
    await mail(facts, 'first')
    const first = await dev.line({ event: 'message.sent', subject: 'Re: first' })
    expect(await textOf(facts, first.message_id)).toContain('one')
    await change(echoing('two'))
    await dev.err(/the loop of one has ended/)
    await dev.line({ event: 'agent.started', run: 2 })
    await mail(facts, 'second')
    const second = await dev.line({ event: 'message.sent', subject: 'Re: second' })
    expect(await textOf(facts, second.message_id)).toContain('two')
    const { err, out } = await dev.kill('SIGINT')
    expect(err).toBe('the loop of one has ended\nthe loop of two has ended\n')
    expect(out).not.toContain('agent.failed')
  })

  it('tells of an agent that is broken, in whatever way, and goes on when it is mended', async () => {
    const broken: [string, RegExp][] = [
      ['export default (', /ParseError/],
      ['export const x = 1', /must have a default export/],
      ["export default () => { throw new Error('no key for the model') }", /no key for the model/],
      ["export default () => void Promise.reject(new Error('forgotten'))", /forgotten/],
      ["export default () => setTimeout(() => { throw new Error('later') }, 5)", /later/],
      ["import 'no-such-module'\nexport default () => {}", /no-such-module/],
    ]
    const { dev, facts, change } = await startAgent(broken[0]![0])
    for (const [i, [text, words]] of broken.entries()) {
      if (i > 0) await change(text)
      await dev.out(new RegExp(`"agent\\.failed","error":"[^\\n]*${words.source}`))
    }
    await change(echoing('mended'))
    await dev.line({ event: 'agent.started', run: broken.length + 1 })
    await mail(facts, 'again')
    await dev.line({ event: 'message.sent', subject: 'Re: again' })
    expect((await dev.kill('SIGHUP')).code).toBe(0)
  })

  it('tells what a handler of run() threw at a mail, and goes on with the others', async () => {
    const { dev, facts } = await startAgent(`
      export default (mailbox) => mailbox.run(async (message) => {
        if (message.subject === 'hard') throw new Error('the model is away')
        await message.reply({ text: 'done' })
      }, { consumer: 'tried' }).done`)
    await mail(facts, 'hard')
    await dev.out(/"agent\.trouble","error":"[^\n]*delivered again later[^\n]*the model is away/)
    await mail(facts, 'easy')
    await dev.line({ event: 'message.sent', subject: 'Re: easy' })
    const { code, out } = await dev.kill('SIGINT')
    expect([code, out.includes('agent.failed')]).toEqual([0, false])
  })

  it('lets the agent finish the reply it is at when it is stopped', async () => {
    const { dev, facts } = await startAgent(`
      export default async (mailbox) => {
        for await (const message of mailbox.incoming()) {
          console.error('thinking')
          await new Promise((resolve) => process.once('SIGUSR2', resolve))
          const { threadId } = await message.reply({ text: 'done' })
          console.error('replied in ' + threadId)
        }
      }`)
    await mail(facts, 'slow')
    await dev.err(/thinking/)
    dev.child.kill('SIGINT')
    dev.child.kill('SIGUSR2')
    const { code, err, out } = await dev.ended
    expect(err).toMatch(/replied in thr_/)
    expect(code).toBe(0)
    expect(out).not.toContain('agent.failed')
  })

  it('ends at the second Ctrl-C, whatever the agent does', async () => {
    const { dev, facts } = await startAgent(`
      export default async (mailbox) => {
        process.once('SIGINT', () => setTimeout(() => process.kill(process.pid, 'SIGINT'), 600))
        for await (const message of mailbox.incoming()) {
          console.error('stuck')
          await new Promise(() => {})
        }
      }`)
    await mail(facts, 'stuck')
    await dev.err(/stuck/)
    expect((await dev.kill('SIGINT')).code).toBe(130)
  })
})
